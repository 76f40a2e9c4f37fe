# Delayed::Job at its trap, for `cargo xtask record delayed-job`. It prints what it sees: a line of
# the recording each, `head NAME: VALUE`, `[part] about`, or an observation. PostgreSQL is at
# PG_PORT. A and B are threads, each with a worker and a connection of its own.
require "active_record"
require "delayed_job_active_record"

$stdout.sync = true
ActiveRecord::Base.establish_connection(
  adapter: "postgresql", host: "127.0.0.1", port: ENV.fetch("PG_PORT"), username: "postgres",
  pool: 5
)
ActiveRecord::Base.default_timezone = :utc
ActiveRecord::Migration.verbose = false
ActiveRecord::Schema.define do
  create_table :delayed_jobs do |t|
    t.integer :priority, default: 0, null: false
    t.integer :attempts, default: 0, null: false
    t.text :handler, null: false
    t.text :last_error
    t.datetime :run_at, :locked_at, :failed_at, precision: 6
    t.string :locked_by, :queue
    t.timestamps null: true
  end
end
Delayed::Worker.max_run_time = 1
Delayed::Worker.logger = nil
$gates = Hash.new { |all, name| all[name] = Queue.new }

def say(line) = puts(line)

# Works until it is let go on, and then may fail.
Work = Struct.new(:goes_on) do
  def perform
    who = Thread.current[:who]
    say "start who=#{who}"
    $gates["#{who} started"] << true
    fails = wait(who) == :fails
    say "write who=#{who}"
    raise "it failed" if fails
  end

  def wait(who)
    $gates[who].pop
  rescue => error
    say "given-up who=#{who} error=#{error.class}"
    raise unless goes_on
    # As a job does that tries again by itself whatever went wrong.
    retry
  end

  # Above the one that all workers have.
  def max_run_time = 60
end

# A worker that looks for one job, and says what has become of it.
def worker(who)
  Thread.new do
    Thread.current[:who] = who
    worker = Delayed::Worker.new(quiet: true)
    worker.name = who
    done, failed = worker.work_off(1)
    say "finish who=#{who} done=#{done} failed=#{failed}"
  end
end

def row(moment)
  job = Delayed::Job.first
  later = job && job.run_at > Time.now.utc ? "yes" : "no"
  by = job&.locked_by || "nobody"
  say "row when=#{moment} there=#{job ? "yes" : "no"} locked-by=#{by} later=#{later} " \
    "attempts=#{job&.attempts || "none"}"
end

def in_time
  say "[given-up] A's job has a max_run_time of its own of 60 s. A works until its worker gives " \
    "it up. Then B asks."
  Delayed::Job.delete_all
  Delayed::Job.enqueue(Work.new(false))
  worker("A").join
  $gates["A started"].pop
  row "A-has-finished"
  worker("B").join
end

def play(part, about, late)
  say "[#{part}] #{about}"
  Delayed::Job.delete_all
  Delayed::Job.enqueue(Work.new(true))
  first = worker("A")
  $gates["A started"].pop
  row "A-works"
  early = worker("B")
  early.join
  sleep 1.5
  second = worker("B")
  $gates["B started"].pop
  row "both-work"
  $gates["A"] << late
  first.join
  row "A-has-finished"
  third = worker("C")
  third.join
  $gates["B"] << :done
  second.join
  row "B-has-finished"
end

gem = Gem.loaded_specs.fetch("delayed_job")
store = Gem.loaded_specs.fetch("delayed_job_active_record")
say "head version: #{gem.version}"
say "head settings: delayed_job_active_record #{store.version}, ActiveRecord " \
  "#{ActiveRecord::VERSION::STRING}; max_run_time of all workers 1 s, of the job 60 s; others as " \
  "they are"
in_time
play "late", "A's job rescues every error, that of its worker's timeout as well, and works on. " \
  "B asks at once, and again when the time is over. A finishes while B works; C asks; B " \
  "finishes.", :done
play "late-failure", "The same, and A's work fails late.", :fails
