/** Who asks, what they may do, and how they sign in. */
import { z } from "./zod.ts";

/** Each role may do what the ones before it may. */
export const Role = z.enum(["viewer", "contributor", "admin"]);
export type Role = z.infer<typeof Role>;
