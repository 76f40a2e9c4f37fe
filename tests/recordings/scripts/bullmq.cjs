// BullMQ at its trap, for `cargo xtask record bullmq`. It prints what it sees: a line of the
// recording each, `head NAME: VALUE`, `[part] about`, or an observation. Redis is at REDIS_PORT.
const { fork } = require("child_process");
const { Queue, Worker } = require("bullmq");
const Redis = require("ioredis").default;

const port = Number(process.env.REDIS_PORT);
const connection = { host: "127.0.0.1", port, maxRetriesPerRequest: null };
const print = (line) => console.log(line);
const pass = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const code = (error) => error.message.replaceAll(" ", "_");

/// What a completion comes to.
const outcome = (promise) => promise.then(() => "OK", (error) => `error:${code(error)}`);
const finish = (job, who) => outcome(job.moveToCompleted(who, who, false));

/// Asked by hand, so that the looks of the stalled check come when we say.
async function byHand(name, options) {
  const queue = new Queue(name, { connection });
  const worker = new Worker(name, undefined, {
    connection,
    lockDuration: 500,
    stalledInterval: 50,
    skipStalledCheck: true,
    skipLockRenewal: true,
    ...options,
  });
  worker.on("error", () => {});
  const redis = new Redis(connection);
  const taken = async (who) => {
    const job = await worker.getNextJob(who, { block: false });
    print(`take who=${who} job=${job ? job.id : "none"} started=${job ? job.attemptsStarted : 0}` +
      ` stalled=${job ? job.stalledCounter : 0}`);
    return job;
  };
  const look = async () => {
    // A check leaves a key behind that keeps the next one off until it runs out.
    await redis.del(`bull:${name}:stalled-check`);
    const locked = await redis.exists(`bull:${name}:1:lock`);
    await worker.moveStalledJobsToWait();
    const state = await queue.getJobState("1");
    print(`look lock=${locked ? "yes" : "no"} state=${state}`);
  };
  const end = async () => { await worker.close(true); await queue.close(); await redis.quit(); };
  return { queue, redis, taken, look, end };
}

async function looks() {
  print("[looks] lockDuration 500. A takes the job, and the stalled check looks: while the lock " +
    "is held, after a renewal, when the lock is over, and once more. Then B takes it.");
  const { queue, taken, look, end } = await byHand("looks", {});
  await queue.add("work", {});
  const job = await taken("A");
  await look();
  print(`renew who=A reply=${await job.extendLock("A", 500)}`);
  await look();
  await pass(600);
  await look();
  await taken("B");
  await end();

  print("[first-look-late] The same, and nobody looks before the lock is over: the first look " +
    "only marks the job.");
  const late = await byHand("late", {});
  await late.queue.add("work", {});
  await late.taken("A");
  await pass(600);
  await late.look();
  await late.look();
  await late.taken("B");
  await late.end();
}

async function finishes() {
  print("[finish] A's lock is over. It renews and finishes before anybody looks; then B has the " +
    "job, and A renews and finishes again, before B does.");
  const { queue, redis, taken, look, end } = await byHand("finish", {});
  await queue.add("work", {});
  const first = await taken("A");
  await pass(600);
  print(`renew who=A held-by=nobody reply=${await first.extendLock("A", 500)}`);
  print(`finish who=A held-by=nobody reply=${await finish(first, "A")}`);
  print(`job state=${await queue.getJobState("1")}`);
  await look();
  await look();
  const second = await taken("B");
  print(`holder value=${await redis.get("bull:finish:1:lock")}`);
  print(`renew who=A held-by=B reply=${await first.extendLock("A", 500)}`);
  print(`finish who=A held-by=B reply=${await finish(first, "A")}`);
  print(`finish who=B held-by=B reply=${await finish(second, "B")}`);
  print(`job state=${await queue.getJobState("1")}`);
  print(`finish who=A held-by=nobody reply=${await finish(first, "A")}`);
  await end();

  print("[too-often] maxStalledCount 1: whoever takes the job lets its lock run out, twice.");
  const often = await byHand("often", {});
  await often.queue.add("work", {});
  for (const who of ["A", "B"]) {
    await often.taken(who);
    await pass(600);
    await often.look();
    await often.look();
  }
  const last = new Worker("often", async () => print("start who=C"), { connection });
  const reason = await new Promise((resolve) => {
    last.on("failed", (_, error) => resolve(code(error)));
  });
  print(`failed who=C error=${reason}`);
  print(`job state=${await often.queue.getJobState("1")}`);
  await last.close();
  await often.end();
}

/// A worker as people write it: its renewer shares the event loop with the work.
function worker(who, blocks) {
  const worker = new Worker("blocked", async (job) => {
    print(`start who=${who} started=${job.attemptsStarted} stalled=${job.stalledCounter}`);
    process.send(`started ${who}`);
    if (blocks) {
      const until = Date.now() + 4000;
      while (Date.now() < until);
      print(`write who=${who}`);
    } else {
      await pass(4000);
      print(`write who=${who}`);
    }
    return who;
  }, { connection, lockDuration: 1000, stalledInterval: 1000 });
  worker.on("error", (error) => print(`told who=${who} error=${code(error)}`));
  worker.on("stalled", (id) => print(`stalled seen-by=${who} job=${id}`));
  worker.on("completed", (job) => {
    print(`completed who=${who} result=${job.returnvalue}`);
    process.send(`completed ${who}`);
  });
  process.on("message", async () => { await worker.close(true); process.exit(0); });
}

async function blocked() {
  print("[blocked] lockDuration and stalledInterval 1000, two workers, each a process. A's " +
    "handler keeps its event loop for 4000 ms; B's waits for as long without keeping it.");
  const queue = new Queue("blocked", { connection });
  const children = [];
  const told = (child, text) => new Promise((resolve) => {
    child.on("message", (message) => { if (message === text) resolve(); });
  });
  const start = (who, blocks) => {
    const child = fork(__filename, [who, blocks], { stdio: "inherit" });
    children.push(child);
    return child;
  };
  const first = start("A", "blocks");
  const started = told(first, "started A");
  await queue.add("work", {});
  await started;
  const second = start("B", "");
  await told(second, "completed B");
  const job = await queue.getJob("1");
  const state = await job.getState();
  print(`job state=${state} result=${job.returnvalue} started=${job.attemptsStarted}`);
  children.forEach((child) => child.send("end"));
  await queue.close();
}

async function main() {
  print(`head version: ${require("bullmq/package.json").version}`);
  print("head settings: lockDuration 500 or 1000 ms, stalled check as a part says; others as " +
    "they are");
  await looks();
  await finishes();
  await blocked();
}

const [who, blocks] = process.argv.slice(2);
if (who) worker(who, blocks === "blocks"); else main();
