import { useRememberedTime } from "../state/time-choice.ts";
import { browserZone, UTC, type Zone } from "../ui/zone.ts";

/** The time zone of times outside of a capture: this browser's where the reader chose it last, otherwise UTC. */
export const useReaderZone = (): Zone => (useRememberedTime() === "browser" ? browserZone() : UTC);
