import * as z from 'zod'

import { InstallationId } from '../../domain/installation/installation'
import { OfferRef } from '../../domain/server-json/offer'

/** Input and output of a request. */
export type Shapes<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = {
  readonly input: I
  readonly output: O
}

/** A request with input and output. */
export function request<I extends z.ZodType, O extends z.ZodType>(
  input: I,
  output: O,
): Shapes<I, O> {
  return { input, output }
}

/** A request without output. */
export function command<I extends z.ZodType>(input: I): Shapes<I, z.ZodVoid> {
  return { input, output: z.void() }
}

/** Reference to an installation. */
export const ServerRef = z.object({ installationId: InstallationId })

/** Identifies a catalog entry; an opaque text. */
export const EntryId = z.string().max(2_000)

/** One offer of a catalog entry. */
export const EntryRef = z.object({ entryId: EntryId, offer: OfferRef })
