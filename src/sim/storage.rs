//! A store: a value, and the highest token that it has seen, kept durably and changed in one step.
//! It learns a token only from a message that arrives and never asks the lock service.
//! Rules and seal: `docs/model.md`, “The fence”.

use super::effect::Effects;
use super::event::Event;
use super::id::{ClientId, FencingToken, GrantNo, NodeId, RequestNo, Version};
use super::message::Body;
use super::scenario::{FenceRule, StorageSettings};

/// One store.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Store {
    fencing: bool,
    rule: FenceRule,
    /// Whether holders raise the fence first; it changes what the two stricter rules ask of a write.
    seal: bool,
    /// The highest token of an accepted seal or write; recorded with fencing off, too.
    highest: Option<FencingToken>,
    /// For [`FenceRule::MustMatch`]: the token that a write must carry.
    current: Option<FencingToken>,
    version: Version,
}

/// A token lower than the fence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StaleToken {
    /// The token that a write or a seal carried.
    pub presented: FencingToken,
    /// Where the fence stands.
    pub highest: FencingToken,
}

impl Store {
    /// An empty store.
    pub fn new(settings: &StorageSettings) -> Self {
        Self {
            fencing: settings.fencing,
            rule: settings.rule,
            seal: settings.seal,
            highest: None,
            current: None,
            version: Version::EMPTY,
        }
    }

    /// Takes a message in.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a store hears seals, reads and writes only"
    )]
    pub fn handle(&mut self, from: NodeId, body: &Body, effects: &mut Effects) {
        let NodeId::Client(client) = from else { return };
        match *body {
            Body::Seal {
                request,
                token,
                grant,
            } => {
                self.seal(client, request, token, grant, effects);
            }
            Body::Read { request, grant } => {
                let version = self.version;
                effects.fact(Event::ReadServed {
                    client,
                    grant,
                    version,
                });
                effects.send(from, Body::Value { request, version });
            }
            Body::Write {
                request,
                write,
                token,
                grant,
                base,
            } => match self.check_write(token) {
                Ok(()) => {
                    self.raise(token);
                    self.version = self.version.next();
                    let version = self.version;
                    effects.fact(Event::WriteAccepted {
                        write,
                        grant,
                        token,
                        base,
                        version,
                    });
                    effects.send(from, Body::WriteAccepted { request, write });
                }
                Err(StaleToken { highest, .. }) => {
                    effects.fact(Event::WriteRefused {
                        write,
                        grant,
                        token,
                        highest,
                    });
                    effects.send(
                        from,
                        Body::WriteRefused {
                            request,
                            write,
                            highest,
                        },
                    );
                }
            },
            _ => {}
        }
    }

    /// Whether the fence lets a write with this token pass.
    ///
    /// # Errors
    /// The token and where the fence stands.
    pub fn check_write(&self, token: FencingToken) -> Result<(), StaleToken> {
        let fence = match self.rule {
            FenceRule::MustMatch => self.current,
            FenceRule::RejectLower | FenceRule::RejectLowerOrEqual => self.highest,
        };
        let passes = !self.fencing
            || match (self.rule, fence) {
                (FenceRule::RejectLower, fence) => fence.is_none_or(|fence| token >= fence),
                // The claim was the seal: `fence < token`; writes then need `fence = token`.
                (FenceRule::RejectLowerOrEqual, Some(fence)) if self.seal => token == fence,
                (FenceRule::RejectLowerOrEqual, fence) => fence.is_none_or(|fence| token > fence),
                (FenceRule::MustMatch, Some(fence)) => token == fence,
                // Without a seal the first write says which token is current.
                (FenceRule::MustMatch, None) => !self.seal,
            };
        if passes {
            return Ok(());
        }
        // A store that refuses everything until it is sealed has no fence to name yet; it then
        // names the token itself, as a database that says “0 rows” would.
        Err(StaleToken {
            presented: token,
            highest: fence.unwrap_or(token),
        })
    }

    fn raise(&mut self, token: FencingToken) {
        self.highest = Some(self.highest.map_or(token, |highest| highest.max(token)));
        if !self.seal {
            self.current.get_or_insert(token);
        }
    }

    fn seal(
        &mut self,
        client: ClientId,
        request: RequestNo,
        token: FencingToken,
        grant: GrantNo,
        effects: &mut Effects,
    ) {
        let to = NodeId::Client(client);
        match self
            .highest
            .filter(|&highest| self.fencing && token < highest)
        {
            Some(highest) => {
                effects.fact(Event::SealRefused {
                    client,
                    grant,
                    token,
                    highest,
                });
                effects.send(to, Body::SealRefused { request, highest });
            }
            None => {
                self.raise(token);
                self.current = Some(token);
                effects.fact(Event::SealAccepted {
                    client,
                    grant,
                    token,
                });
                effects.send(to, Body::Sealed { request });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(rule: FenceRule, seal: bool, fencing: bool) -> Store {
        Store::new(&StorageSettings {
            fencing,
            rule,
            seal,
            stores: 1,
        })
    }

    /// Writes the tokens in turn and tells which were accepted.
    fn writes(store: &mut Store, tokens: &[i64]) -> Vec<bool> {
        let write = |&token: &i64| {
            let passes = store.check_write(FencingToken(token)).is_ok();
            if passes {
                store.raise(FencingToken(token));
            }
            passes
        };
        tokens.iter().map(write).collect()
    }

    fn seal(store: &mut Store, token: i64) -> bool {
        let mut effects = Effects::default();
        let body = Body::Seal {
            request: RequestNo(0),
            token: FencingToken(token),
            grant: GrantNo(1),
        };
        store.handle(NodeId::Client(ClientId(0)), &body, &mut effects);
        let sealed = |effect: &super::super::effect::Effect| {
            matches!(
                effect,
                super::super::effect::Effect::Send(_, Body::Sealed { .. })
            )
        };
        effects.list().iter().any(sealed)
    }

    #[test]
    fn each_rule_refuses_what_its_table_row_says() {
        let tokens = [33, 33, 34, 33, 34];
        let mut lower = store(FenceRule::RejectLower, false, true);
        assert_eq!(writes(&mut lower, &tokens), [true, true, true, false, true]);
        let mut or_equal = store(FenceRule::RejectLowerOrEqual, false, true);
        assert_eq!(
            writes(&mut or_equal, &tokens),
            [true, false, true, false, false]
        );
        // The first writer's token is taken as current: every later rightful holder is refused.
        let mut must_match = store(FenceRule::MustMatch, false, true);
        assert_eq!(
            writes(&mut must_match, &tokens),
            [true, true, false, true, false]
        );
        let mut off = store(FenceRule::RejectLower, false, false);
        assert_eq!(writes(&mut off, &tokens), [true; 5]);
        assert_eq!(
            off.highest,
            Some(FencingToken(34)),
            "recorded with fencing off"
        );
    }

    #[test]
    fn the_seal_raises_the_fence_in_token_order_and_an_equal_one_is_a_retry() {
        for rule in [
            FenceRule::RejectLower,
            FenceRule::RejectLowerOrEqual,
            FenceRule::MustMatch,
        ] {
            let mut store = store(rule, true, true);
            assert!(seal(&mut store, 33));
            assert_eq!(writes(&mut store, &[33, 33]), [true, true], "{rule:?}");
            assert!(seal(&mut store, 34), "{rule:?}");
            assert!(seal(&mut store, 34), "{rule:?}: a retry");
            assert!(!seal(&mut store, 33), "{rule:?}");
            assert_eq!(writes(&mut store, &[33, 34]), [false, true], "{rule:?}");
        }
    }
}
