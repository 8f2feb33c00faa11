/** Must run before any schema is made: zod would compile validators with `new Function`, which the content policy forbids. */
import { config } from "zod";

config({ jitless: true });
