# Sidekiq at its trap, for `cargo xtask record sidekiq`. It prints what it sees: a line of the
# recording each, `head NAME: VALUE`, `[part] about`, or an observation. Redis is at REDIS_PORT.
# It is started once as who watches, and by Sidekiq's own program as a worker.
require "sidekiq"

URL = "redis://127.0.0.1:#{ENV.fetch("REDIS_PORT")}/0"
Sidekiq.configure_server { |config| config.redis = { url: URL } }
Sidekiq.configure_client { |config| config.redis = { url: URL } }
Sidekiq.logger.level = Logger::FATAL
STORE = Redis.new(url: URL)

# What Sidekiq itself prints goes another way.
OUT = ENV["WHO"] ? IO.new(3, "w") : $stdout
OUT.sync = true

def say(line) = OUT.puts(line)

class Work
  include Sidekiq::Worker

  def perform(first, later)
    run = STORE.incr("runs")
    say "start who=#{ENV.fetch("WHO")} run=#{run}"
    sleep(run == 1 ? first : later)
    say "write who=#{ENV.fetch("WHO")} run=#{run}"
  end
end

# A worker's process, as people start it.
def worker(who, timeout)
  options = ["--concurrency", "1", "--timeout", timeout.to_s]
  options += ["--require", File.expand_path(__FILE__)]
  quiet = { out: File::NULL, err: File::NULL, 3 => $stdout }
  spawn({ "WHO" => who }, "sidekiq", *options, quiet)
end

def until_run(number)
  sleep 0.01 until STORE.get("runs").to_i >= number
end

def queue(moment)
  say "queue when=#{moment} waiting=#{STORE.llen("queue:default")}"
end

def play(part, about, signal)
  say "[#{part}] #{about}"
  STORE.flushall
  first = worker("A", 1)
  until_run(0)
  Work.perform_async(20, 0)
  until_run(1)
  queue "A-works"
  Process.kill(signal, first)
  Process.wait(first)
  say "ended who=A by=#{signal}"
  queue "A-has-ended"
  second = worker("B", 1)
  sleep 8
  queue "8-s-later"
  say "runs number=#{STORE.get("runs")}"
  Process.kill("TERM", second)
  Process.wait(second)
end

if $PROGRAM_NAME == __FILE__
  say "head version: #{Sidekiq::VERSION}"
  say "head settings: Redis #{STORE.info["redis_version"]}, concurrency 1, timeout 1 s; others " \
    "as they are"
  play "kill", "A is killed while it works. Then B is there for 8 s.", "KILL"
  play "term", "A is asked to end while it works, and given 1 s. Then B is there for 8 s.",
    "TERM"
end
