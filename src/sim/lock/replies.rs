//! Answers that every system gives in the same way: what a node tells a client, and the fact that
//! it did, in one breath.

use crate::sim::effect::Effects;
use crate::sim::fact::ServiceFact;
use crate::sim::id::{ClientId, FencingToken, RequestNo};
use crate::sim::lock::Record;
use crate::sim::message::Answer;

impl Effects {
    /// The lock is taken; `record`: what stands in it, where its clients look at that.
    pub(super) fn taken(&mut self, client: ClientId, request: RequestNo, record: Option<Record>) {
        self.fact(ServiceFact::Refused { client });
        self.send(client, Answer::Taken { request, record });
    }

    /// Whether a token is the present one; `current`: that one.
    pub(super) fn checked(
        &mut self,
        client: ClientId,
        request: RequestNo,
        token: FencingToken,
        (valid, current): (bool, Option<FencingToken>),
    ) {
        self.fact(ServiceFact::Checked { client, token, valid });
        self.send(client, Answer::Checked { request, token, valid, current });
    }
}
