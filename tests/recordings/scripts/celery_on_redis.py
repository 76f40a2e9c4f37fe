# Celery at its trap, for `cargo xtask record celery`. It prints what it sees: a line of the
# recording each, `head NAME: VALUE`, `[part] about`, or an observation. Redis is at REDIS_PORT.
import os
import signal
import subprocess
import sys
import time

import celery
import kombu
import redis
from celery.signals import task_received

URL = f"redis://127.0.0.1:{os.environ['REDIS_PORT']}/0"
WHO = os.environ.get("WHO", "")

app = celery.Celery("celery_on_redis", broker=URL, backend=None)
app.conf.update(
    worker_prefetch_multiplier=1,
    broker_connection_retry_on_startup=True,
    worker_hijack_root_logger=False,
    broker_transport_options={
        "visibility_timeout": 3,
        "unacked_restore_interval": 1,
        "unacked_restore_throttle": 1,
    },
)
store = redis.Redis.from_url(URL, decode_responses=True)


def say(line):
    os.write(1, (line + "\n").encode())


@task_received.connect
def received(request=None, **_):
    say(f"received who={WHO} tag={number_of(request.message.delivery_tag)}")


def number_of(tag):
    """Tags are random: the first one that is seen is 1, another one 2."""
    store.hsetnx("tags", tag, store.hlen("tags") + 1)
    return store.hget("tags", tag)


def handle(task, first, then):
    n = store.incr("runs")
    redelivered = "yes" if task.request.delivery_info.get("redelivered") else "no"
    say(f"start who={WHO} run={n} redelivered={redelivered}")
    time.sleep(first if n == 1 else then)
    say(f"write who={WHO} run={n}")


@app.task(bind=True)
def early(self, first, then):
    handle(self, first, then)


@app.task(bind=True, acks_late=True)
def late(self, first, then):
    handle(self, first, then)


def state(when):
    unacked, index = store.hlen("unacked"), store.zcard("unacked_index")
    ready = store.llen("celery")
    say(f"queue when={when} unacked={unacked} index={index} ready={ready}")


class Worker:
    """A worker as people start it: a process that fetches, and a process that works."""

    def __init__(self, who):
        args = ["--quiet", "-A", "celery_on_redis", "worker", "--concurrency", "1"]
        args += ["--loglevel", "ERROR"]
        args += ["--without-gossip", "--without-mingle", "-n", f"{who}@here"]
        here = os.path.dirname(os.path.abspath(__file__))
        env = dict(os.environ, WHO=who, PYTHONWARNINGS="ignore", PYTHONPATH=here)
        command = [sys.executable, "-m", "celery", *args]
        self.process = subprocess.Popen(command, env=env, start_new_session=True)

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def until(test):
    """Waits; returns when it was certainly not yet so."""
    end = time.monotonic() + 60
    before = time.monotonic()
    while not test():
        if time.monotonic() > end:
            raise SystemExit("waited 60 s in vain")
        time.sleep(0.01)
        before = time.monotonic()
    return before


def runs(n):
    return lambda: int(store.get("runs") or 0) >= n


def fresh():
    store.flushall()


def late_ack():
    say("[late-ack] acks_late, visibility_timeout 3 s. A's work takes 6 s, and B's begins as soon "
        "as a sweep has put the message back. A finishes while B works. Then B is killed.")
    fresh()
    a = Worker("A")
    sent = time.monotonic()
    late.delay(6, 30)
    until(runs(1))
    working = time.monotonic()
    state("A-works")
    b = Worker("B")
    low = int((until(runs(2)) - working) * 1000)
    high = int((time.monotonic() - sent) * 1000) + 1
    say(f"again who=B after={low}..{high}ms visibility=3000ms sweep=1000ms")
    state("both-work")
    until(lambda: store.hlen("unacked") == 0)
    state("A-has-finished")
    b.kill()
    say("killed who=B")
    c = Worker("C")
    time.sleep(8)
    state("8-s-later")
    say(f"runs number={store.get('runs')}")
    a.kill()
    c.kill()


def eta():
    say("[eta] A task with a countdown of 8 s, longer than the visibility_timeout of 3 s, and two "
        "idle workers. Acks as they are by default.")
    fresh()
    workers = [Worker("A"), Worker("B")]
    time.sleep(5)
    early.apply_async((0, 0), countdown=8)
    time.sleep(14)
    state("at-the-end")
    say(f"runs number={store.get('runs')}")
    for worker in workers:
        worker.kill()


def crash():
    for task, name in [(early, "early"), (late, "late")]:
        say(f"[crash-acks-{name}] A is killed while it works. Then B is there for 8 s. "
            f"The ack comes {'before' if name == 'early' else 'after'} the work.")
        fresh()
        a = Worker("A")
        task.delay(30, 0)
        until(runs(1))
        state("A-works")
        a.kill()
        say("killed who=A")
        b = Worker("B")
        time.sleep(8)
        state("8-s-later")
        say(f"runs number={store.get('runs')}")
        b.kill()


def main():
    say(f"head version: {celery.__version__}")
    say(f"head settings: kombu {kombu.__version__}, redis-py {redis.__version__}; "
        "visibility_timeout 3 s, unacked_restore_interval 1 s, unacked_restore_throttle 1, "
        "prefetch 1, prefork with one process; others as they are")
    late_ack()
    eta()
    crash()


if __name__ == "__main__":
    main()
