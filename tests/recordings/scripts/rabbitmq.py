# RabbitMQ at its trap, for `cargo xtask record rabbitmq`. It prints what it sees: a line of the
# recording each, `head NAME: VALUE`, `[part] about`, or an observation. The server is at AMQP_PORT.
import os
import time

import pika

PARAMETERS = pika.ConnectionParameters("127.0.0.1", int(os.environ["AMQP_PORT"]))


def say(line):
    print(line, flush=True)


class Consumer:
    """A consumer with a connection and a channel of its own, one message at a time."""

    def __init__(self, who, queue):
        self.who, self.queue, self.tags = who, queue, []
        self.connection = pika.BlockingConnection(PARAMETERS)
        self.open()

    def open(self):
        self.channel = self.connection.channel()
        self.channel.basic_qos(prefetch_count=1)
        # The channel that blocks tells nobody why it was closed; the one within does.
        self.channel._impl.add_on_close_callback(lambda _, reason: self.closed(reason))

    def consume(self):
        def delivered(_channel, method, _properties, _body):
            redelivered = "yes" if method.redelivered else "no"
            say(f"deliver who={self.who} tag={method.delivery_tag} redelivered={redelivered}")
            self.tags.append(method.delivery_tag)

        self.channel.basic_consume(self.queue, delivered)

    def closed(self, reason):
        if isinstance(reason, pika.exceptions.ChannelClosedByBroker):
            text = reason.reply_text.split(". ")[0].replace(" ", "_")
            say(f"channel-closed who={self.who} code={reason.reply_code} text={text}")

    def listen(self):
        """Heartbeats go on, as they do in a client whose work has a thread of its own."""
        self.connection.process_data_events(time_limit=0.01)

    def delivery(self):
        n = len(self.tags)
        until(lambda: len(self.tags) > n, self)
        return self.tags[-1]

    def ack(self, tag):
        """What an ack comes to: the server answers none that it takes."""
        try:
            self.channel.basic_ack(tag)
            for _ in range(20):
                self.listen()
            reply = "channel-closed" if self.channel.is_closed else "none"
        except pika.exceptions.AMQPError as error:
            reply = f"error:{type(error).__name__}"
        say(f"ack who={self.who} tag={tag} reply={reply}")


def until(test, *consumers, seconds=30):
    end = time.monotonic() + seconds
    while not test():
        if time.monotonic() > end:
            raise SystemExit(f"waited {seconds} s in vain")
        for consumer in consumers:
            consumer.listen()


def publish(queue):
    connection = pika.BlockingConnection(PARAMETERS)
    channel = connection.channel()
    channel.queue_declare(queue, durable=True)
    channel.queue_purge(queue)
    channel.basic_publish("", queue, b"job")
    return connection, channel


def depth(channel, queue):
    n = channel.queue_declare(queue, passive=True).method.message_count
    say(f"ready queue={queue} messages={n}")


def timeout():
    say("[timeout] consumer_timeout 2000 ms, looked at every 3000 ms. A has the message and does "
        "not acknowledge it; its connection is open and answers heartbeats. B consumes as well.")
    _, channel = publish("timeout")
    a, b = Consumer("A", "timeout"), Consumer("B", "timeout")
    began = time.monotonic()
    a.consume()
    tag = a.delivery()
    got = time.monotonic()
    b.consume()
    seen = got
    while not b.tags:
        before, seen = seen, time.monotonic()
        a.listen()
        b.listen()
    low, high = int((before - got) * 1000), int((time.monotonic() - began) * 1000) + 1
    say(f"again who=B after={low}..{high}ms timeout=2000ms")
    a.ack(tag)
    depth(channel, "timeout")
    b.ack(b.tags[-1])
    b.connection.close()
    depth(channel, "timeout")

    say("[late-ack] A opens another channel and acknowledges the tag of its first delivery there.")
    a.open()
    a.ack(tag)
    a.connection.close()


def late_before_look():
    say("[late-before-look] A acknowledges when its time is over, and before the first look, which "
        "comes 3000 ms after its channel was opened.")
    _, channel = publish("before")
    a, b = Consumer("A", "before"), Consumer("B", "before")
    a.consume()
    a.delivery()
    b.consume()
    end = time.monotonic() + 2.3
    while time.monotonic() < end:
        a.listen()
        b.listen()
    say(f"over who=A waited=2300ms timeout=2000ms deliveries-of-B={len(b.tags)}")
    a.ack(a.tags[-1])
    for _ in range(100):
        a.listen()
        b.listen()
    say(f"waits who=B deliveries={len(b.tags)}")
    depth(channel, "before")
    a.connection.close()
    b.connection.close()


def connection_lost():
    say("[connection] A's connection is closed while it has the message; B consumes.")
    publish("connection")
    a, b = Consumer("A", "connection"), Consumer("B", "connection")
    a.consume()
    a.delivery()
    b.consume()
    for _ in range(20):
        b.listen()
    say(f"waits who=B deliveries={len(b.tags)}")
    began = time.monotonic()
    a.connection.close()
    b.delivery()
    say(f"again who=B after=0..{int((time.monotonic() - began) * 1000) + 1}ms")
    b.ack(b.tags[-1])
    b.connection.close()


def twice():
    say("[ack-twice] A acknowledges the same delivery twice.")
    publish("twice")
    a = Consumer("A", "twice")
    a.consume()
    tag = a.delivery()
    a.ack(tag)
    a.ack(tag)
    a.connection.close()


def main():
    connection, _ = publish("head")
    version = connection._impl.params and connection._impl.server_properties["version"]
    say(f"head version: {version}")
    say(f"head settings: consumer_timeout 2000 ms, channel_tick_interval 3000 ms, classic queues, "
        f"prefetch 1, client pika {pika.__version__}; others as they are")
    timeout()
    late_before_look()
    connection_lost()
    twice()


main()
