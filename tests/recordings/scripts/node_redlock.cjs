// node-redlock at its trap, for `cargo xtask record node-redlock`. It prints what it sees: a line
// of the recording each, `head NAME: VALUE`, `[part] about`, or an observation. Redis is at
// REDIS_PORT.
const Redis = require("ioredis").default;
const Redlock = require("redlock");

const print = (line) => console.log(line);
const pass = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const redis = new Redis({ host: "127.0.0.1", port: Number(process.env.REDIS_PORT) });
const code = (error) => `${error.name}:${error.message.replace(/".*"/, "it").replaceAll(" ", "_")}`;
const redlocks = [];

/// One that gives up at the first refusal.
function redlock(options) {
  const made = new Redlock([redis], { retryCount: 0, ...options });
  made.on("error", () => {});
  redlocks.push(made);
  return made;
}

async function told(word, who, heldBy, promise) {
  const reply = await promise.then(() => "OK", (error) => `error:${code(error)}`);
  print(`${word} who=${who} held-by=${heldBy} reply=${reply} left=${await redis.exists("lock")}`);
}

async function lock(who, ttl) {
  const got = await redlock().lock("lock", ttl).catch((error) => print(
    `lock who=${who} granted=no reply=error:${code(error)}`));
  if (!got) return undefined;
  const less = got.expiration - Date.now() < ttl ? "yes" : "no";
  print(`lock who=${who} granted=yes ttl=${ttl}ms valid-less-than-ttl=${less}`);
  return got;
}

async function late() {
  print("[late] A's lock of 200 ms is over. It extends and unlocks: while nobody holds it, and " +
    "then while B does.");
  const first = await lock("A", 200);
  await lock("B", 200);
  await pass(300);
  await told("extend", "A", "nobody", first.extend(1000));
  await told("unlock", "A", "nobody", first.unlock());
  const second = await lock("A", 200);
  await pass(300);
  const other = await lock("B", 60000);
  await told("extend", "A", "B", second.extend(1000));
  await told("unlock", "A", "B", second.unlock());
  await told("unlock", "B", "B", other.unlock());
}

async function extend() {
  print("[extend] A's lock of 1000 ms is extended by 300: it is set anew, not added to.");
  const first = await lock("A", 1000);
  await told("extend", "A", "A", first.extend(300));
  const left = await redis.pttl("lock");
  print(`left who=A more-than-300ms=${left > 300 ? "yes" : "no"}`);
  await told("unlock", "A", "A", first.unlock());
}

async function disposer() {
  print("[no-renewal] A keeps its lock of 200 ms for 500 and is told of nothing; B gets it.");
  const first = await lock("A", 200);
  await pass(500);
  await lock("B", 60000);
  print("write who=A");
  await told("unlock", "A", "B", first.unlock());
  await redis.del("lock");
}

async function main() {
  print(`head version: ${require("redlock/package.json").version}`);
  const info = await redis.info("server");
  print(`head settings: Redis ${/redis_version:(\S+)/.exec(info)[1]}, one node, ioredis ` +
    `${require("ioredis/package.json").version}, retryCount 0; others as they are`);
  await late();
  await extend();
  await disposer();
  redis.disconnect();
}

main();
