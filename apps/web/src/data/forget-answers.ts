import { useQueryClient } from "@tanstack/react-query";
import type { CaptureAddress } from "./capture-address.ts";

/** Forgets what was answered about a capture: its files were analyzed again, and answers are kept for a minute. */
export function useForgetAnswers(): (address: CaptureAddress) => void {
  const answers = useQueryClient();
  return ({ api }) =>
    answers.removeQueries({ predicate: ({ queryKey: [key] }) => String(key).startsWith(`${api}/`) });
}
