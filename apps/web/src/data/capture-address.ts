import { useQueryClient } from "@tanstack/react-query";

/** Addresses of a capture for questions and pages: by its own id, or by a link that opens only it. */
export interface CaptureAddress {
  /** Id of the capture or of the link. */
  readonly id: string;
  /** Below the API's own path. */
  readonly api: string;
  /** Path of its pages. */
  readonly page: string;
  /** A link shows and changes nothing. */
  readonly opens: "capture" | "link";
}

export function captureAddress(id: string): CaptureAddress {
  return { id, api: `/captures/${encodeURIComponent(id)}`, page: `/captures/${id}`, opens: "capture" };
}

export function linkAddress(id: string): CaptureAddress {
  return { id, api: `/links/${encodeURIComponent(id)}`, page: `/l/${id}`, opens: "link" };
}

/** Drops the answers about a capture: its files were analyzed again, and answers are kept for a minute. */
export function useForgetAnswers(): (address: CaptureAddress) => void {
  const answers = useQueryClient();
  return ({ api }) =>
    answers.removeQueries({ predicate: ({ queryKey: [key] }) => String(key).startsWith(`${api}/`) });
}

/** Answers about the evidence of a capture are read again: it has other files. */
export function useReadEvidenceAgain(): (address: CaptureAddress) => void {
  const answers = useQueryClient();
  return ({ api }) =>
    void answers.invalidateQueries({
      predicate: ({ queryKey: [key] }) => String(key).startsWith(`${api}/evidence`),
    });
}

/** Reads a capture's summary again: its name is another one. */
export function useReadSummaryAgain(): (address: CaptureAddress) => void {
  const answers = useQueryClient();
  return ({ api }) =>
    void answers.invalidateQueries({ predicate: ({ queryKey: [key] }) => key === `${api}/summary` });
}
