import { useMemo, useState } from "react";
import { HEAD_PX, isTall, stackLanes, tallWith, type LaneBox } from "../../../charts/timeline/heights.ts";
import type { Lane } from "../../../lanes/lanes.ts";
import type { Level } from "../../../charts/timeline/layout.ts";
import { RELEASES_GAP_PX } from "../../../charts/timeline/release-tracks.ts";
import { UPRIGHT_PHONE, useMedia } from "../../../ui/use-media.ts";

/** Height of the row that replaces the thin lanes where they have no space. */
export const QUIET_PX = 28;

export interface LaneStack {
  readonly boxes: LaneBox[];
  /** Top of the lane "Released by", px; null where the lane is absent. */
  readonly releasesTop: number | null;
  readonly height: number;
  /** Thin lanes that one row replaces; empty where all lanes have space. */
  readonly quiet: readonly Lane[];
  readonly showsQuiet: boolean;
  readonly toggleQuiet: () => void;
}

interface Stacked {
  readonly lanes: readonly Lane[];
  /** Lanes that the user made tall or thin, by key. */
  readonly byUser: Readonly<Record<string, boolean>>;
  readonly level: Level;
  /** Height that the screen has for the lanes, px. */
  readonly room: number;
  /** Keys of the isolated lanes; empty where all lanes are equal. */
  readonly isolated: readonly string[];
  /** Height of the lane "Released by" under the commits, px; 0 where the lane is absent. */
  readonly releasesPx: number;
}

/** Where each lane is. */
export function useLaneStack({ lanes, byUser, level, room, isolated, releasesPx }: Stacked): LaneStack {
  const low = useMedia("(max-height: 699px)");
  const head = useMedia(UPRIGHT_PHONE) ? HEAD_PX : 0;
  const [showsQuiet, setShowsQuiet] = useState(false);
  return useMemo(() => {
    const chosen = isolated.length === 0 ? byUser : tallWith(lanes, isolated);
    const underCommits = releasesPx;
    const toggle = { showsQuiet, toggleQuiet: () => setShowsQuiet((shows) => !shows) };
    const quiet = lanes.filter((lane) => !isTall(lane, chosen));
    const fits = stackLanes(lanes, chosen, level, 0, { underCommits, head }).height <= room;
    if (quiet.length === 0 || (fits && !low)) {
      const stack = stackLanes(lanes, chosen, level, room, { isolated, underCommits, head });
      return { ...stack, releasesTop: topOfReleases(stack.boxes, releasesPx), quiet: [], ...toggle };
    }
    const shown = showsQuiet ? lanes : lanes.filter((lane) => isTall(lane, chosen));
    const { boxes, height } = stackLanes(shown, chosen, level, room - QUIET_PX, {
      isolated,
      underCommits,
      head,
    });
    return {
      boxes,
      releasesTop: topOfReleases(boxes, releasesPx),
      height: height + QUIET_PX,
      quiet,
      ...toggle,
    };
  }, [lanes, byUser, level, room, isolated, releasesPx, head, low, showsQuiet]);
}

function topOfReleases(boxes: readonly LaneBox[], releasesPx: number): number | null {
  const commits = releasesPx === 0 ? undefined : boxes.findLast(({ lane }) => lane.shape === "commits");
  return commits === undefined ? null : commits.top + commits.height + RELEASES_GAP_PX;
}
