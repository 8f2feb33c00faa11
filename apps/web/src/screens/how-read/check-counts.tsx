import type { ReactNode } from "react";
import type { CaptureCheck, Expectation } from "@aglens/contract";
import { howReadTexts as texts } from "../../messages/how-read.ts";
import { formatCount } from "../../ui/words.ts";
import styles from "./how-read.module.css";

/** Figures under the sentence: expectations by state, events in files, bytes that no column claims. */
export function checkCounts({ expectations, events, files, unclaimedBytes }: CaptureCheck): ReactNode[] {
  const count = (state: Expectation["state"]): number =>
    expectations.filter((one) => one.state === state).length;
  const [notMet, absent] = [count("not"), count("absent")];
  return [
    <>{texts.expectationExpectationsMet(<b>{count("met")}</b>, count("met"))}</>,
    <>{texts.metInPart(<b>{count("part")}</b>)}</>,
    <>
      <b>{notMet}</b> <span className={notMet > 0 ? styles.bad : undefined}>{texts.notMet}</span>
    </>,
    ...(absent === 0 ? [] : [<>{texts.notInTheseFiles(<b>{absent}</b>)}</>]),
    <>{texts.eventInFile(<b>{formatCount(events)}</b>, events, files)}</>,
    <>{texts.payloadByteUnclaimed(<b>{formatCount(unclaimedBytes)}</b>, unclaimedBytes)}</>,
  ];
}
