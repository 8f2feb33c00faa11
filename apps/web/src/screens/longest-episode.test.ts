import type { Episode } from "@aglens/contract";
import { expect, test } from "vitest";
import { mainEpisode } from "./longest-episode.ts";

const episode = (label: string, cause: Episode["cause"], us: number) =>
  ({ label, cause, from: 0, to: us }) as Episode;
const network = episode("Slow network", "network", 14e6);
const writes = episode("Slow log writes", "secondary_disk", 13e6);

test("picture and verdict name the same episode, also where another one is longer", () => {
  expect(mainEpisode({ cause: "secondary_disk" }, [network, writes])?.label).toBe("Slow log writes");
  expect(mainEpisode({ cause: "network" }, [writes, network])?.label).toBe("Slow network");
});

test("a verdict about something else leaves the longest one", () => {
  expect(mainEpisode({ cause: "role_change" }, [writes, network])?.label).toBe("Slow network");
  expect(mainEpisode({ cause: "network" }, [])).toBeNull();
});
