/** The clocks that a capture's times can be shown in. */
import { type Summary, Verdict, mapTexts } from "@aglens/contract";
import { captureViewTexts as texts } from "../../messages/capture-view.ts";
import { TIME_CHOICES, type TimeChoice } from "../../state/time-choice.ts";
import { timesInZone, zoneName, type CaptureTime } from "../../ui/words.ts";
import { browserZone, offsetName, UTC, type Zone } from "../../ui/zone.ts";

/** Servers of a capture, or of a live run. */
interface Servers {
  readonly replicas: readonly {
    readonly name: string;
    readonly role: string;
    readonly utcOffsetMinutes?: number | undefined;
  }[];
}

/**
 * The servers' clock where a file or the server itself has its offset from UTC: the primary's, with its name where another server
 * has another one; null where it is not known.
 */
export function serverZone({ replicas }: Servers): Extract<Zone, { kind: "server" }> | null {
  const known = replicas.filter(({ utcOffsetMinutes }) => utcOffsetMinutes !== undefined);
  const server = known.find(({ role }) => role === "primary") ?? known[0];
  if (server?.utcOffsetMinutes === undefined) return null;
  const minutes = server.utcOffsetMinutes;
  const areEqual = known.every(({ utcOffsetMinutes }) => utcOffsetMinutes === minutes);
  return { kind: "server", minutes, name: areEqual ? null : server.name };
}

/** The zone of a choice; UTC where the servers' zone is chosen and not known. */
export function zoneOf(choice: TimeChoice, summary: Servers): Zone {
  if (choice === "browser") return browserZone();
  if (choice === "server") return serverZone(summary) ?? UTC;
  return { kind: choice };
}

interface ShownChoice {
  readonly value: TimeChoice;
  /** `UTC+2, server` */
  readonly label: string;
}

/** Choices where there is no capture whose start times can be counted from. */
export const CLOCKS = TIME_CHOICES.filter((choice) => choice !== "offset");

/** Choices of how the times of a capture are shown. */
export function timeChoices(
  capture: CaptureTime & Servers,
  choices: readonly TimeChoice[] = TIME_CHOICES,
): readonly ShownChoice[] {
  return choices
    .filter((choice) => choice !== "server" || serverZone(capture) !== null)
    .map((value) => ({ value, label: labelOf({ ...capture, zone: zoneOf(value, capture) }) }));
}

function labelOf(capture: CaptureTime & { readonly zone: Zone }): string {
  const { zone } = capture;
  switch (zone.kind) {
    case "utc":
      return "UTC";
    case "server":
      return `${offsetName(zone.minutes)}, ${zone.name ?? "server"}`;
    case "browser":
      return texts.thisBrowser(zoneName(capture));
    case "offset":
      return texts.fromTheStart;
  }
}

/** A capture whose times are shown in a zone, including those in its sentences. */
export type ZonedSummary = Summary & { readonly zone?: Zone };

/** Converts a capture's times to a zone. */
export function inZone(summary: Summary, zone: Zone): ZonedSummary {
  const zoned = { ...summary, zone };
  const map = (text: string): string => timesInZone(zoned, text);
  return {
    ...zoned,
    verdict: mapTexts(Verdict, summary.verdict, map) as Verdict,
    warnings: summary.warnings.map(map),
  };
}
