import type { ReactNode } from "react";
import type { CaptureCheck, Expectation } from "@aglens/contract";
import { formatCount } from "../../ui/words.ts";
import { countedWords } from "../capture-view/figures.ts";
import styles from "./how-read.module.css";

/** Figures under the sentence: expectations by state, events in files, bytes that no column claims. */
export function checkCounts({ expectations, events, files, unclaimedBytes }: CaptureCheck): ReactNode[] {
  const count = (state: Expectation["state"]): number =>
    expectations.filter((one) => one.state === state).length;
  const [notMet, absent] = [count("not"), count("absent")];
  return [
    <>
      <b>{count("met")}</b> {count("met") === 1 ? "expectation" : "expectations"} met
    </>,
    <>
      <b>{count("part")}</b> met in part
    </>,
    <>
      <b>{notMet}</b> <span className={notMet > 0 ? styles.bad : undefined}>not met</span>
    </>,
    ...(absent === 0
      ? []
      : [
          <>
            <b>{absent}</b> not in these files
          </>,
        ]),
    <>
      <b>{formatCount(events)}</b> {events === 1 ? "event" : "events"} in {countedWords(files, "file")}
    </>,
    <>
      <b>{formatCount(unclaimedBytes)}</b> payload {unclaimedBytes === 1 ? "byte" : "bytes"} unclaimed
    </>,
  ];
}
