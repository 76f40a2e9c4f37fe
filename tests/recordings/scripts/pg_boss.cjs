// pg-boss at its trap, for `cargo xtask record pg-boss`. It prints what it sees: a line of the
// recording each, `head NAME: VALUE`, `[part] about`, or an observation. PostgreSQL is at PG_PORT.
const PgBoss = require("pg-boss");

const print = (line) => console.log(line);
const pass = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const connect = async () => {
  const connectionString = `postgres://postgres@127.0.0.1:${process.env.PG_PORT}/postgres`;
  // Who sweeps is said by hand: `supervise` would do it once in its interval.
  const boss = new PgBoss({ connectionString, supervise: false, schedule: false });
  boss.on("error", (error) => print(`error text=${error.message.replaceAll(" ", "_")}`));
  return boss.start();
};

async function told(boss, queue, id, when) {
  const job = await boss.getJobById(queue, id);
  const output = job.output?.by ?? job.output?.value?.message.replaceAll(" ", "_") ?? "null";
  print(`job when=${when} state=${job.state} retries=${job.retryCount} output=${output}`);
}

async function fetch(boss, queue, who) {
  const [job] = await boss.fetch(queue, { includeMetadata: true });
  print(`fetch who=${who} job=${job ? "yes" : "no"} retries=${job ? job.retryCount : "none"}`);
  return job;
}

async function complete(boss, queue, id, who, state) {
  const { affected } = await boss.complete(queue, id, { by: who });
  print(`complete who=${who} state=${state} rows=${affected}`);
}

async function make(boss, queue) {
  await boss.createQueue(queue);
  return boss.send(queue, {}, { expireInSeconds: 1, retryLimit: 3 });
}

async function sweeps(boss) {
  print("[sweep] expireInSeconds 1. A takes the job. The sweep comes before its time is over, B " +
    "asks when it is over, and once more after another sweep.");
  const id = await make(boss, "sweep");
  await fetch(boss, "sweep", "A");
  await boss.expire();
  await told(boss, "sweep", id, "swept-early");
  await pass(1200);
  await fetch(boss, "sweep", "B");
  await told(boss, "sweep", id, "over");
  await boss.expire();
  await told(boss, "sweep", id, "swept");
  await fetch(boss, "sweep", "B");

  print("[late-before-sweep] A completes when its time is over, and nobody has swept.");
  const late = await make(boss, "late");
  await fetch(boss, "late", "A");
  await pass(1200);
  await complete(boss, "late", late, "A", "active");
  await told(boss, "late", late, "completed");
  await boss.expire();
  await fetch(boss, "late", "B");
}

async function late(boss) {
  print("[late] A completes after the sweep, before B has the job; then B takes it, A completes " +
    "again while B works, and B completes. Then C asks.");
  const id = await make(boss, "work");
  await fetch(boss, "work", "A");
  await pass(1200);
  await boss.expire();
  await complete(boss, "work", id, "A", "retry");
  await fetch(boss, "work", "B");
  await complete(boss, "work", id, "A", "active");
  await told(boss, "work", id, "A-has-completed");
  await complete(boss, "work", id, "B", "completed");
  await told(boss, "work", id, "B-has-completed");
  await fetch(boss, "work", "C");
}

async function handlers(boss) {
  print("[work] A and B wait for jobs by work(), expireInSeconds 1. A's handler takes 3000 ms; " +
    "pg-boss gives it up in A's own process after 1000, and the function runs on.");
  const id = await make(boss, "handlers");
  const other = await connect();
  let done;
  const end = new Promise((resolve) => { done = resolve; });
  const options = { pollingIntervalSeconds: 0.5, includeMetadata: true };
  await boss.work("handlers", options, async ([job]) => {
    print(`start who=A retries=${job.retryCount}`);
    await boss.offWork("handlers");
    await pass(3000);
    print("write who=A");
    await told(boss, "handlers", id, "A-has-written");
    done();
  });
  await pass(700);
  await other.work("handlers", options, async ([job]) => {
    print(`start who=B retries=${job.retryCount}`);
    print("write who=B");
    return { by: "B" };
  });
  await end;
  await other.stop({ graceful: false });
}

async function main() {
  print(`head version: ${require("pg-boss/package.json").version}`);
  print("head settings: expireInSeconds 1, retryLimit 3, swept by hand; others as they are");
  const boss = await connect();
  await sweeps(boss);
  await late(boss);
  await handlers(boss);
  await boss.stop({ graceful: false });
}

main().then(() => process.exit(0));
