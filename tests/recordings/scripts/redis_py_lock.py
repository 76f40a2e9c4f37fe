# redis-py's Lock at its trap, for `cargo xtask record redis-py`. It prints what it sees: a line of
# the recording each, `head NAME: VALUE`, `[part] about`, or an observation. Redis is at REDIS_PORT.
import os
import time

import redis

connect = lambda: redis.Redis(port=int(os.environ["REDIS_PORT"]))
clients = {who: connect() for who in "ABC"}


def say(line):
    print(line, flush=True)


def lock(who, **options):
    return clients[who].lock("lock", **options)


def acquire(who, lock):
    granted = "yes" if lock.acquire(blocking=False) else "no"
    say(f"acquire who={who} granted={granted} pttl={clients[who].pttl('lock')}")


def told(word, who, held_by, act):
    try:
        reply = act()
        reply = {True: "yes", None: "none"}.get(reply, reply)
    except redis.exceptions.LockError as error:
        reply = f"error:{type(error).__name__}"
    say(f"{word} who={who} held-by={held_by} reply={reply} left={clients['C'].exists('lock')}")


def late():
    say("[late] A's lock of 200 ms is over. It asks whether it is its own, extends, reacquires and "
        "releases: while nobody holds it, and then while B does.")
    a, b = lock("A", timeout=0.2), lock("B", timeout=60)
    acquire("A", a)
    acquire("B", b)
    time.sleep(0.3)
    told("extend", "A", "nobody", lambda: a.extend(1))
    told("reacquire", "A", "nobody", a.reacquire)
    say(f"owned who=A held-by=nobody owned={'yes' if a.owned() else 'no'}")
    told("release", "A", "nobody", a.release)
    acquire("A", a)
    time.sleep(0.3)
    acquire("B", b)
    say(f"owned who=A held-by=B owned={'yes' if a.owned() else 'no'}")
    told("extend", "A", "B", lambda: a.extend(1))
    told("release", "A", "B", a.release)
    told("release", "B", "B", b.release)


def left(after):
    more = "yes" if clients["A"].pttl("lock") > 1000 else "no"
    say(f"left who=A after={after} more-than-1000ms={more}")


def extend():
    say("[extend] A's lock of 1000 ms: extend(1) adds to what is left, replace_ttl and reacquire "
        "set it anew.")
    a = lock("A", timeout=1)
    acquire("A", a)
    told("extend", "A", "A", lambda: a.extend(1))
    left("extend")
    told("extend", "A", "A", lambda: a.extend(1, replace_ttl=True))
    left("replace")
    told("reacquire", "A", "A", a.reacquire)
    told("release", "A", "A", a.release)


def forever():
    say("[no-timeout] A's lock without a timeout, as it is by default. A's connection is closed "
        "without a release, and B asks.")
    acquire("A", lock("A"))
    clients["A"].close()
    acquire("B", lock("B"))
    clients["C"].delete("lock")


def context():
    say("[with] A with statement whose block takes longer than the lock's 200 ms: what its end "
        "raises.")
    try:
        with lock("B", timeout=0.2):
            time.sleep(0.3)
            say("write who=B")
        raised = "nothing"
    except redis.exceptions.LockError as error:
        raised = type(error).__name__
    say(f"left-block who=B raised={raised}")


say(f"head version: {redis.__version__}")
say(f"head settings: Redis {clients['A'].info()['redis_version']}; timeouts as a part says, others "
    "as they are")
late()
extend()
forever()
context()
