//! Every remedy, in the order of the table: first what puts the set-up's own mistakes right, then
//! the arguments that colleagues make. Each names the function that says what it changes in a
//! set-up, or why it is not tried there.

use super::setup::{Offer, Setup};
use super::{clients, service, storage};

macro_rules! remedies {
    ($($(#[doc = $doc:literal])* $Id:ident => $offer:path,)*) => {
        /// The remedies, in the order of the table.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum RemedyId { $($(#[doc = $doc])* $Id,)* }

        impl RemedyId {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$Id,)*];

            /// What it changes in a set-up, or why it is not tried there.
            pub(super) fn offer(self, setup: &Setup<'_>) -> Offer {
                match self { $(Self::$Id => $offer(setup),)* }
            }
        }
    };
}

/// No change.
fn as_it_is(_: &Setup<'_>) -> Offer {
    Ok(Vec::new())
}

remedies! {
    /// No change.
    AsItIs => as_it_is,
    /// Renewal, which is off.
    RenewalOn => clients::renewal_on,
    /// Renewal at a third of the time to live, where it comes later.
    RenewEveryThird => clients::renews_every_third,
    /// A renewer that does not give up after a failure.
    RenewerTriesAgain => clients::renewer_tries_again,
    /// A renewer that does not take the lock anew when it is refused.
    RenewerTakesNothingAnew => clients::renewer_takes_nothing_anew,
    /// Nothing stops the renewer alone.
    RenewerApart => clients::renewer_apart,
    /// What stops the worker stops its renewer.
    RenewalByTheWorker => clients::renewal_by_the_worker,
    /// A renewer that waits for its worker's next step.
    RenewalTiedToProgress => clients::renewal_tied_to_progress,
    /// A renewer of its own, where the worker renews.
    RenewerOfItsOwn => clients::renewer_of_its_own,
    /// A client's cap of renewal above its longest piece of work.
    CapAboveWork => clients::cap_above_work,
    /// Nothing is fetched ahead: the work begins with the lease.
    NothingFetchedAhead => clients::nothing_fetched_ahead,
    /// A lease is renewed before its work begins, too.
    RenewsBeforeTheWork => clients::renews_before_the_work,
    /// The worker ends itself before a limit that nobody renews.
    KillBelowTheLimit => clients::kill_below_the_limit,
    /// The smallest time to live that covers the work where nothing renews.
    TtlCoversWork => clients::ttl_covers_work,
    /// client-go tries to renew for two thirds of the lease.
    RenewDeadline => service::renew_deadline,
    /// The worker stops when its client knows that the lease is lost.
    StopOnLoss => clients::stop_on_loss,
    /// The process ends when it knows that the lease is lost.
    ExitOnLoss => clients::exit_on_loss,
    /// A client of `ZooKeeper` stops when it has lost the connection.
    LetsGoOnDisconnect => service::lets_go_on_disconnect,
    /// A deadline counted from the send.
    DeadlineFromSend => clients::deadline_from_send,
    /// A deadline a third of the lease before its end.
    DeadlineToSpare => clients::deadline_to_spare,
    /// A deadline that allows for clocks that do not run alike.
    AllowForClocks => clients::allow_for_clocks,
    /// Redlock's validity, counted from the try that succeeded.
    ValidityFromTheTry => service::validity_from_the_try,
    /// The lock is released after the work and not before.
    ReleaseAfterWork => clients::release_after_work,
    /// The lock is released when the work is done.
    ReleaseWhenDone => clients::release_when_done,
    /// An item is settled when its work is done, and not before.
    SettlesAtTheEnd => service::settles_at_the_end,
    /// An item is settled by the handle of its newest delivery.
    SettlesByHandle => service::settles_by_handle,
    /// A refused release is not sent again.
    RefusedReleaseIsAnAnswer => clients::refused_release_is_an_answer,
    /// A request without an answer is sent again.
    RequestTimeout => clients::request_timeout,
    /// Who waits asks again, and does not rely on being told.
    AskAgainWhileWaiting => clients::ask_again_while_waiting,
    /// A piece of work that came to nothing is begun again.
    BeginsAgain => clients::begins_again,
    /// The token of the grant is sent, and not one that is read later.
    SendsTheGrantedToken => clients::sends_the_granted_token,
    /// Code inside is told the token of the code outside.
    SameTokenInside => clients::same_token_inside,
    /// Release and renewal are refused to all but the holder.
    OwnerCheck => service::owner_check,
    /// No two owners have one name.
    UniqueNames => clients::unique_names,
    /// A token that a fence can compare, and the fence.
    TokenThatGrows => service::token_that_grows,
    /// One transactional id for all producers of this work.
    OneTransactionalId => service::one_transactional_id,
    /// Kafka's second protocol of transactions.
    SecondProtocol => service::second_protocol,
    /// Lock and time to live in one request.
    OneStep => service::one_step,
    /// A waiter's session is looked at before it is granted.
    WaiterCheck => service::waiter_check,
    /// Those that wait are granted in order.
    HandOffInOrder => service::hand_off_in_order,
    /// `ZooKeeper`'s nodes ordered by their numbers.
    NamesByNumber => service::names_by_number,
    /// A client of `ZooKeeper` finds its own node again.
    FindsItsNode => service::finds_its_node,
    /// Consul's key stands when its session is over.
    KeepsTheKey => service::keeps_the_key,
    /// A lease in place of a lock without an end.
    LeaseInstead => service::lease_instead,
    /// A lock that a majority of nodes grants, in place of one that its copy grants, too.
    MajorityLock => service::majority_lock,
    /// A SQL row by the database's clock.
    DatabaseClock => service::database_clock,
    /// The service judges by its own clock.
    ServiceJudges => service::service_judges,
    /// Whoever asks watches the record, by its own clock.
    ObserversJudge => service::observers_judge,
    /// The service goes by a clock that nobody sets.
    MonotonicClock => service::monotonic_clock,
    /// All clocks show and run alike.
    ClocksAgree => service::clocks_agree,
    /// The service loses nothing in a restart.
    KeepsItsState => service::keeps_its_state,
    /// The counter of tokens survives a restart.
    KeepsItsCounter => service::keeps_its_counter,
    /// A restored etcd skips revisions.
    BumpsRevision => service::bumps_revision,
    /// A node of Redlock keeps out for a time to live after a restart.
    DelayedRestart => service::delayed_restart,
    /// Five nodes of Redlock.
    FiveNodes => service::five_nodes,
    /// A row taken by one statement.
    ConditionalUpdate => service::conditional_update,
    /// The connection that holds the lock is never cut for being idle.
    NoIdleTimeout => service::no_idle_timeout,
    /// The connection that holds the lock is its own.
    ConnectionKept => service::connection_kept,
    /// DHCP's usual marks.
    UsualMarks => service::usual_marks,
    /// A node that hears a Raft leader votes for nobody else.
    StickyVotes => service::sticky_votes,
    /// A Raft leader asks a majority whether it still leads.
    ReadsByIndex => service::reads_by_index,
    /// No store is left out.
    EveryStoreChecks => storage::every_store_checks,
    /// Check and write in one step.
    OneStepCheck => storage::check_and_write_in_one_step,
    /// The highest token survives a restart.
    DurableFence => storage::durable_fence,
    /// The row to update is there.
    RowIsThere => storage::the_row_is_there,
    /// A token above the highest known one is not refused.
    RefusesLowerOnly => storage::refuses_lower_only,
    /// Twice the time to live.
    LongerLease => service::longer_lease,
    /// Renewal twice as often.
    MoreRenewal => clients::more_renewal,
    /// The worker asks the service before each write.
    CheckBeforeWrite => clients::check_before_write,
    /// The client stops by its own deadline.
    LocalDeadline => clients::local_deadline,
    /// The worker looks at that deadline before each write.
    LocalDeadlineChecked => clients::local_deadline_checked,
    /// Nobody is granted for some time after a holder failed.
    LockDelay => service::lock_delay,
    /// A lock that ends with its holder's connection.
    LivesWithConnection => service::lives_with_connection,
    /// An item is dead after some deliveries.
    DeadLetter => service::dead_letter,
    /// A second write or act of the same piece of work is ignored.
    Idempotent => storage::idempotent,
    /// Fencing that refuses lower tokens.
    RejectLower => storage::reject_lower,
    /// Fencing that refuses lower and equal tokens.
    RejectLowerOrEqual => storage::reject_lower_or_equal,
    /// Fencing, and a new holder raises the fence first.
    Sealed => storage::sealed,
    /// Compare-and-set on the value's version.
    CompareAndSet => storage::compare_and_set,
    /// etcd instead of this lock, fenced.
    Etcd => service::etcd,
    /// Lock and value in etcd, written in one transaction.
    EtcdTransaction => service::etcd_transaction,
    /// Lock and value in one SQL database, written in one transaction.
    SqlTransaction => service::sql_transaction,
}
