//! The general settings that a lock system, or a protected resource, does not leave to anybody. A
//! control for one of them has no effect under it, and says so.

/// A setting that a lock system can fix (down to `Renew`), or a protected resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fixed {
    /// Where tokens come from.
    TokenSource,
    /// Who judges that a lease is over.
    Expiry,
    /// Which clock the service judges by.
    Clock,
    /// The owner check on release and renew.
    OwnerCheck,
    /// The delay after a holder failed.
    LockDelay,
    /// How much later than the time to live a lease ends.
    Grace,
    /// Whether the lease lives with the connection.
    ConnectionBound,
    /// Whether the time to live is set in a second request.
    TwoSteps,
    /// How clients wait.
    Wait,
    /// Whether a client has a session of its own.
    Session,
    /// Whether a waiter's session is looked at before its grant.
    WaiterCheck,
    /// Who of those that wait is granted next.
    HandOff,
    /// By what name the service knows a client.
    Identity,
    /// When a holder renews.
    Renew,
    /// Whether tokens are checked.
    Fencing,
    /// Which writes a store refuses.
    Rule,
    /// Whether a new holder raises the fence first.
    Seal,
    /// The gap between check and write.
    CheckGap,
    /// Which stores check.
    UncheckedStores,
    /// Whether the highest token survives a restart.
    Durable,
    /// What a write does.
    Operation,
    /// A client's own deadline.
    Deadline,
}
