import { useRememberedTime } from "../state/time-choice.ts";
import { browserZone, UTC, type Zone } from "../ui/zone.ts";

/** The clock of times outside a capture: this browser's where the reader chose it last, else UTC. */
export const useReaderZone = (): Zone => (useRememberedTime() === "browser" ? browserZone() : UTC);
