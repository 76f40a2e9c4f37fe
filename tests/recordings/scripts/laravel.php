<?php
// Laravel's queue at its trap, for `cargo xtask record laravel`. It prints what it sees: a line of
// the recording each, `head NAME: VALUE`, `[part] about`, or an observation. PostgreSQL is at
// PG_PORT. A, B and C are workers of one program: who has popped a job holds its handle.

require "Illuminate/Container/autoload.php";
require "Illuminate/Database/autoload.php";
require "Illuminate/Queue/autoload.php";
require "Illuminate/Events/autoload.php";

use Illuminate\Container\Container;
use Illuminate\Database\Capsule\Manager;
use Illuminate\Queue\DatabaseQueue;

const RETRY_AFTER = 2;

function say(string $line): void { echo "$line\n"; }

$database = new Manager();
$database->addConnection([
    "driver" => "pgsql", "host" => "127.0.0.1", "port" => getenv("PG_PORT"),
    "database" => "postgres", "username" => "postgres", "charset" => "utf8",
]);
$connection = $database->getConnection();
$connection->getSchemaBuilder()->create("jobs", function ($table) {
    $table->bigIncrements("id");
    $table->string("queue")->index();
    $table->longText("payload");
    $table->unsignedTinyInteger("attempts");
    $table->unsignedInteger("reserved_at")->nullable();
    $table->unsignedInteger("available_at");
    $table->unsignedInteger("created_at");
});
$queue = new DatabaseQueue($connection, "jobs", "default", RETRY_AFTER);
$queue->setContainer(new Container());

function pop(string $who)
{
    global $queue;
    $job = $queue->pop();
    $there = $job ? "yes" : "no";
    $attempts = $job ? $job->attempts() : "none";
    say("pop who=$who job=$there attempts=$attempts");
    return $job;
}

function rows(string $when): void
{
    global $connection;
    $rows = $connection->table("jobs")->get();
    $reserved = $rows->whereNotNull("reserved_at")->count();
    say("table when=$when rows={$rows->count()} reserved=$reserved");
}

/// Seconds are what it counts in: it waits for one to begin.
function past(int $seconds): void
{
    $until = time() + $seconds;
    while (time() < $until) {
        usleep(5000);
    }
}

function fresh(string $part, string $about): void
{
    global $connection, $queue;
    say("[$part] $about");
    $connection->table("jobs")->delete();
    $queue->pushRaw('{"job":"work"}');
}

$version = trim(shell_exec("dpkg-query --show --showformat='\${Version}' php-illuminate-queue"));
say("head version: " . preg_replace('/\+.*/', "", $version));
say("head settings: database driver, retry_after 2 s; others as they are");

fresh("late", "A pops the job. B asks at once, and again when retry_after is over. A deletes the " .
    "job while B has it; C asks; B deletes it.");
$before = hrtime(true);
$a = pop("A");
$after = hrtime(true);
pop("B");
past(RETRY_AFTER);
$asked = hrtime(true);
$b = pop("B");
$low = intdiv($asked - $after, 1000000);
$high = intdiv(hrtime(true) - $before, 1000000) + 1;
say("again who=B after={$low}..{$high}ms retry-after=2000ms");
rows("both-have-it");
$a->delete();
say("delete who=A held-by=B");
rows("A-has-deleted");
pop("C");
$b->delete();
say("delete who=B held-by=nobody");
rows("B-has-deleted");

fresh("late-before-pop", "A deletes the job when retry_after is over, and nobody has asked.");
$a = pop("A");
past(RETRY_AFTER + 1);
$a->delete();
say("delete who=A held-by=A");
rows("A-has-deleted");
pop("B");

fresh("late-release", "retry_after is over and B has the job; A releases it, as a failed job is " .
    "released to be tried again. Then C asks.");
$a = pop("A");
past(RETRY_AFTER);
$b = pop("B");
$a->release();
say("release who=A held-by=B");
rows("A-has-released");
$c = pop("C");
$b->delete();
say("delete who=B held-by=C");
rows("B-has-deleted");
