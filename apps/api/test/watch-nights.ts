/**
 * The long proof of watches (`npm run bench -- watch-nights`): virtual hours of noise without a trigger, and twenty episodes with the
 * time until each is found, and the cause that its verdict names.
 */
import type { WatchEpisode } from "@aglens/contract";
import { createRandom } from "@aglens/fixtures/random";
import { Night } from "./night.ts";
import type { NightOptions } from "./night.ts";

const SEED = Number(process.env["AGLENS_BENCH_SEED"] ?? 39);
const HOURS = Number(process.env["AGLENS_BENCH_HOURS"] ?? 72);
const EPISODES = Number(process.env["AGLENS_BENCH_EPISODES"] ?? 20);

const EVERY_SECONDS = 5;
/** Three polls: a pause of a second can be in two. */
const FOR_SECONDS = 15;
/** A period over the limit begins between two polls; 0.5 s for the clock's steps. */
const FOUND_WITHIN_SECONDS = FOR_SECONDS + EVERY_SECONDS + 0.5;
const LEAST_SECONDS = 20;
const MOST_SECONDS = 300;
const TRIGGERS = {
  commitDelay: { overMs: 15, forSeconds: FOR_SECONDS },
  queue: { sendQueueKb: 100_000, rpoSeconds: 60 },
  state: true,
};
const RECORDING = {
  quietSeconds: 20,
  mostSeconds: 600,
  holdOffSeconds: 0,
  mostPerDay: 100,
  mostPerWeek: 500,
  mostBytesPerWeek: 1e12,
};
const random = createRandom(SEED);

/** Polls of hours in which the delay varies, and single polls are over the limit. @returns triggers that it had */
async function quietHours(): Promise<number> {
  const night = await Night.begin({
    group: { blocksPerSecond: 2 },
    everySeconds: EVERY_SECONDS,
    triggers: TRIGGERS,
    recording: RECORDING,
    // Steps of a second: 72 hours would take an hour otherwise.
    patience: { pollMs: 4_000 },
  });
  const { clock, group } = night;
  try {
    for (let hour = 0; hour < HOURS; hour++) {
      // At most 8 ms more than usual on each of the two ways of a commit.
      group.logWrite(0, random.between(0, 8));
      group.logWrite(1, random.between(0, 4));
      group.network(random.between(0, 4));
      for (let quarter = 0; quarter < 4; quarter++) {
        const calm = Math.round(random.between(60, 840));
        await clock.pass(calm * 1_000, 1_000);
        const spiky = quarter % 2;
        const usual = random.between(0, 4);
        group.logWrite(spiky, random.between(20, 120));
        await clock.pass(Math.round(random.between(1, 4)) * 1_000, 1_000);
        group.logWrite(spiky, usual);
        await clock.pass((900 - calm) * 1_000, 1_000);
      }
    }
    const { polled } = await night.series(HOURS);
    const share = polled.reduce((sum, each) => sum + each, 0) / polled.length;
    const episodes = await night.episodes();
    console.log(
      `watch-nights: ${HOURS} quiet hours at ${EVERY_SECONDS} s, ${(100 * share).toFixed(1)} % polled, ` +
        `${4 * HOURS} spikes of 20 to 120 ms for 1 to 4 s: ${episodes.length} triggers`,
    );
    for (const { trigger } of episodes) console.log(`  ${trigger.at} ${trigger.text}`);
    return episodes.length;
  } finally {
    await night.end();
  }
}

/** Something that is slow, and the verdict about it. */
interface Injected {
  readonly cause: string;
  readonly place: WatchEpisode["place"];
  readonly names: RegExp;
  readonly set: (night: Night, ms: number) => void;
}

const logWriteOf = (replica: number): Injected => ({
  cause: `log write of SQL${replica + 1}`,
  place: replica === 0 ? "primary" : "secondary",
  names: new RegExp(`log writes? on SQL${replica + 1} (takes?|took)`, "iu"),
  set: ({ group }, ms) => group.logWrite(replica, ms),
});
const NETWORK: Injected = {
  cause: "network",
  place: "network",
  names: /^The network to SQL\d takes/u,
  set: ({ group }, ms) => group.network(ms),
};

/** Prints a row for each episode. @returns those that were found late, or whose verdict has another cause */
async function episodesOf(
  count: number,
  causes: readonly Injected[],
  group: NightOptions["group"],
): Promise<number> {
  const night = await Night.begin({
    group: { blocksPerSecond: 20, ...group },
    everySeconds: EVERY_SECONDS,
    triggers: TRIGGERS,
    recording: { ...RECORDING, ringSeconds: 30 },
  });
  const { clock } = night;
  let wrong = 0;
  try {
    for (let index = 0; index < count; index++) {
      const injected = causes[index % causes.length];
      if (injected === undefined) break;
      // Most nights have short ones.
      const seconds = Math.round(LEAST_SECONDS * (MOST_SECONDS / LEAST_SECONDS) ** random.next());
      const ms = Math.round(random.between(20, 80));
      await clock.pass(Math.round(random.between(60, 180) * 1_000), 50);
      const from = clock.now();
      injected.set(night, ms);
      await clock.pass(seconds * 1_000, 50);
      injected.set(night, 0);
      const found = await night.untilOver(index + 1);
      const [episode] = found;
      const after = (Date.parse(episode?.trigger.at ?? "") - from) / 1_000;
      const problems = [
        ...(found.length === index + 1 ? [] : [`${found.length - index} episodes`]),
        ...(after > 0 && after <= FOUND_WITHIN_SECONDS ? [] : ["late"]),
        ...(episode?.place === injected.place && injected.names.test(episode?.verdict ?? "")
          ? []
          : ["another cause"]),
      ];
      wrong += problems.length > 0 ? 1 : 0;
      console.log(
        `| ${injected.cause} | +${ms} ms, ${seconds} s | ${after.toFixed(1)} s | ${episode?.place} | ` +
          `${episode?.verdict} | ${problems.join(", ") || "ok"} |`,
      );
    }
    return wrong;
  } finally {
    await night.end();
  }
}

const began = performance.now();
console.log("| injected | | found after | place | verdict | |\n|---|---|---|---|---|---|");
const half = Math.ceil(EPISODES / 2);
const wrong =
  (await episodesOf(half, [logWriteOf(1), NETWORK, logWriteOf(0)], {})) +
  (await episodesOf(EPISODES - half, [logWriteOf(2), NETWORK, logWriteOf(1)], { secondaries: 2 }));
console.log(
  `watch-nights: ${EPISODES} episodes, seed ${SEED}, limit ${FOUND_WITHIN_SECONDS} s: ${wrong} wrong`,
);
const triggers = HOURS === 0 ? 0 : await quietHours();
console.log(`watch-nights: ${Math.round((performance.now() - began) / 1_000)} s`);
process.exitCode = wrong + triggers > 0 ? 1 : 0;
