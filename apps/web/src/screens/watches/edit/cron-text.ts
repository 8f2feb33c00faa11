/** Common cron expressions in words. Their times are UTC. */
import { watchEditTexts as texts } from "../../../messages/watch-edit.ts";

const DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"] as const;

/** `Sundays 02:00 UTC`, `daily 02:00 UTC`, `every 15 min`; null for an expression without a short text. */
export function cronText(cron: string): string | null {
  const [minute = "", hour = "", day = "", month = "", weekday = "", ...more] = cron.trim().split(/\s+/u);
  if (more.length > 0 || month !== "*") return null;
  const isAnyDay = day === "*" && weekday === "*";
  const step = /^\*\/(\d{1,2})$/u.exec(minute)?.[1];
  if (step !== undefined && 60 % Number(step) === 0 && hour === "*" && isAnyDay)
    return texts.everyMinutes(step);
  if (!/^\d{1,2}$/u.test(minute)) return null;
  const minutes = minute.padStart(2, "0");
  if (hour === "*" && isAnyDay) return texts.hourly(minutes);
  if (!/^\d{1,2}$/u.test(hour)) return null;
  const time = texts.utc(`${hour.padStart(2, "0")}:${minutes}`);
  if (isAnyDay) return texts.daily(time);
  if (weekday === "*") return /^\d{1,2}$/u.test(day) ? texts.monthly(Number(day), time) : null;
  const days = day === "*" ? weekdaysOf(weekday) : null;
  return days === null ? null : texts.onDays(days, time);
}

function weekdaysOf(text: string): string | null {
  if (/^(?:1|mon)-(?:5|fri)$/iu.test(text)) return texts.workdays;
  const days = text.split(",").map(weekdayOf);
  return days.some((day) => day === null) ? null : days.map((day) => texts.weekdays[day ?? 0]).join(", ");
}

/** 0 to 6, from Sunday. */
function weekdayOf(text: string): number | null {
  if (/^[0-7]$/u.test(text)) return Number(text) % DAYS.length;
  const index = DAYS.findIndex((name) => name === text.toUpperCase());
  return index < 0 ? null : index;
}
