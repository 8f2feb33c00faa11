/** Problem documents: why a request failed. */
import { z } from "../zod.ts";

/** RFC 9457; `code` is stable, `detail` is a sentence a DBA can act on. */
/** The certificate that a SQL Server shows before any login. */
export const ShownCertificate = z.object({
  /** SHA-256 of the certificate, 64 hexadecimal digits, lower case. */
  fingerprint: z.string(),
  /** Subject name of the certificate. */
  name: z.string(),
});
export type ShownCertificate = z.infer<typeof ShownCertificate>;

export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  code: z.string(),
  /** Certificate that the user may accept, with the code "live-old-certificate". */
  certificate: ShownCertificate.optional(),
  /** With the code "sql-wrong" or "sql-refused": where in the query, in characters (UTF-16) from its begin. */
  at: z.number().optional(),
});
export type Problem = z.infer<typeof Problem>;
