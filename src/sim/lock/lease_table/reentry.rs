//! Code that takes the lock a second time while its client holds it (a re-entrant acquire). Its
//! holder's name is what it is known by, so it is let in; it is told the token that it has, or a
//! new one of which the code outside knows nothing.

use super::{Lease, LeaseTable};
use crate::sim::effect::Effects;
use crate::sim::fact::ServiceFact;
use crate::sim::id::{ClientId, FencingToken, RequestNo};
use crate::sim::message::Answer;

impl Lease {
    /// Whether its holder may name this token: that of the grant, or the one drawn last.
    pub(super) fn is_under(&self, token: FencingToken) -> bool {
        self.first == token || self.token == token
    }
}

impl LeaseTable {
    /// The holder takes the lock again, naming `token`; `anew`: it draws another one. The lease
    /// runs on as it did.
    pub(super) fn reenter(
        &mut self,
        client: ClientId,
        request: RequestNo,
        (token, anew): (FencingToken, bool),
        effects: &mut Effects,
    ) {
        let holds = self.is_holder(client, token) && self.may_touch(client, token);
        let told = match self.holder.as_mut().filter(|_| holds) {
            Some(lease) => {
                if anew {
                    lease.token = self.tokens.draw();
                }
                let Lease { grant, token, .. } = *lease;
                effects.fact(ServiceFact::Reentered { grant, client, token, anew });
                Some(token)
            }
            None => {
                effects.fact(ServiceFact::ReentryRefused { client, token });
                None
            }
        };
        effects.send(client, Answer::Reentered { request, token: told });
    }
}
