import { progressTexts as texts } from "../../../messages/progress.ts";
const THIN = "\u2009";
const MINUTE = 60;

/**
 * `about 4 s`, `about 2 min`: an estimate in whole numbers, since more digits would suggest a false precision. At least
 * a second.
 */
export function remainingText(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  return whole < 1.5 * MINUTE ? texts.aboutS(whole, THIN) : texts.aboutMin(Math.round(whole / MINUTE), THIN);
}
