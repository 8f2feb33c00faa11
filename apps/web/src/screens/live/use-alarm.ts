import { useEffect, useRef, useState } from "react";
import { markRun } from "../../data/live-client.ts";
import { liveTexts as texts } from "../../messages/live.ts";
import { durationText } from "../../ui/words.ts";
import { type AlarmState, nextAlarm, QUIET } from "./alarm.ts";
import type { LiveState } from "./picture.ts";

const TONE_HZ = 660;
const TONE_S = 0.4;

export interface Alarm {
  readonly isOn: boolean;
  /** Requests the permission for notifications when it is switched on; without it the alarm only sounds. */
  readonly switchTo: (isOn: boolean) => void;
  readonly limitMs: number;
  readonly setLimitMs: (ms: number) => void;
}

/** Sounds, notifies and marks once per episode when commit p95 is over a limit for five seconds. Off by default. */
export function useAlarm(id: string, control: string | null, state: LiveState | null): Alarm {
  const [isOn, setIsOn] = useState(false);
  const [limitMs, setLimitMs] = useState(50);
  const alarm = useRef<AlarmState>(QUIET);
  useEffect(() => {
    if (!isOn || state === null || state.state !== "running") {
      alarm.current = QUIET;
      return;
    }
    const p95 = state.readouts.find(({ key }) => key === "commitP95")?.value ?? null;
    const next = nextAlarm(alarm.current, state.now, p95, limitMs * 1000);
    alarm.current = next;
    if (!next.rings || p95 === null) return;
    const of = state.database === null ? "" : ` of ${state.database}`;
    const label = texts.commitP95OverMs(of, limitMs);
    sound();
    notify(texts.alarmTitle(state.title, label, durationText(p95)));
    // The alarm also works without the mark.
    if (control !== null) markRun(id, control, label, true).catch(() => undefined);
  }, [id, control, isOn, limitMs, state]);
  const switchTo = (on: boolean): void => {
    setIsOn(on);
    if (on && "Notification" in window && Notification.permission === "default")
      void Notification.requestPermission();
  };
  return { isOn, switchTo, limitMs, setLimitMs };
}

function sound(): void {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  tone.frequency.value = TONE_HZ;
  tone.connect(audio.destination);
  tone.addEventListener("ended", () => void audio.close());
  tone.start();
  tone.stop(audio.currentTime + TONE_S);
}

function notify(words: string): void {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const shown = new Notification(texts.agLens, { body: words });
  shown.addEventListener("click", () => window.focus());
}
