import * as z from 'zod'

import { ToolChange } from '../../../../src-shared/domain/agents/tools'
import { isToolName } from '../names/tool-names'

/** How a tool stands to what was approved. */
export type PinVerdict = 'approved' | 'new' | 'changed' | 'refused'

/** A tool's verdict, and the hash of its definition as it is now. */
export type Judgement = { readonly verdict: PinVerdict; readonly hash: string }

/** Tools that are remembered of one server, with those that it no longer lists. */
export const MOST_PINS = 10_000

export const Hash = z.string().regex(/^[0-9a-f]{64}$/u)

/** What is remembered of a tool. Each hash is that of a whole definition. */
export const ToolPin = z.object({
  name: z.string(),
  /** As it was listed last. */
  seen: Hash,
  isListed: z.boolean(),
  approved: z.object({ hash: Hash, at: z.number() }).optional(),
  /** The one that was refused last. */
  refused: Hash.optional(),
})
export type ToolPin = z.infer<typeof ToolPin>

/** An event of the history; the definitions before and after are kept apart, by their hashes. */
export const PinEvent = ToolChange.omit({ before: true, after: true }).extend({
  before: Hash.optional(),
  after: Hash.optional(),
})
export type PinEvent = z.infer<typeof PinEvent>

/** The pins of one server by name. */
export type PinMap = Map<string, ToolPin>

export type SeenTool = { readonly name: string; readonly hash: string }

/** When something happened, and with which version of the package. */
export type Occasion = { readonly at: number; readonly packageVersion: string | undefined }

/** What became of pins: the events, in the order in which they came about. */
export type ListingRead = { readonly judgements: Judgement[]; readonly events: PinEvent[] }

/**
 * Judges a listing in its order and remembers it in `pins`; with `approvesAll` all that it has is approved. Of a name that is listed twice the first counts, the others are judged by it.
 */
export function readListing(
  pins: PinMap,
  listed: readonly SeenTool[],
  { approvesAll, ...occasion }: Occasion & { readonly approvesAll: boolean },
): ListingRead {
  const events: PinEvent[] = []
  const names = new Set<string>()
  const judgements = listed.map(({ name, hash }, index): Judgement => {
    // No agent is shown a tool with any other name, so there is nothing to remember.
    if (!isToolName(name) || index >= MOST_PINS) return { verdict: 'new', hash }
    const isFirst = !names.has(name)
    names.add(name)
    const event = isFirst ? see(pins, { name, hash }, occasion) : undefined
    if (event) events.push(event)
    const pin = pins.get(name)
    if (!pin) return { verdict: 'new', hash }
    if (isFirst && approvesAll && pin.approved?.hash !== hash)
      pin.approved = { hash: pin.seen, at: occasion.at }
    return judgementOf(pin, hash)
  })
  for (const pin of pins.values()) {
    if (!pin.isListed || names.has(pin.name)) continue
    pin.isListed = false
    events.push({ ...told(occasion), name: pin.name, kind: 'removed', before: pin.seen })
  }
  forgetMost(pins)
  return { judgements, events }
}

/** Remembers what a person decided about a tool as it is listed now; undefined when it was so before. */
export function settlePin(
  pin: ToolPin,
  verdict: 'approve' | 'refuse',
  occasion: Occasion,
): PinEvent | undefined {
  const { name, seen } = pin
  const before = pin.approved?.hash
  const event = { ...told(occasion), name, ...(before !== undefined && { before }), after: seen }
  if (verdict === 'approve') {
    if (judgementOf(pin, seen).verdict === 'approved') return undefined
    pin.approved = { hash: seen, at: occasion.at }
    delete pin.refused
    return { ...event, kind: 'approved' }
  }
  if (pin.refused === seen) return undefined
  pin.refused = seen
  if (before === seen) delete pin.approved
  return { ...event, kind: 'refused' }
}

/** The event of a tool that is listed as it was not before. */
function see(pins: PinMap, { name, hash }: SeenTool, occasion: Occasion): PinEvent | undefined {
  const pin = pins.get(name)
  if (!pin) {
    pins.set(name, { name, seen: hash, isListed: true })
    return { ...told(occasion), name, kind: 'added', after: hash }
  }
  const { seen, isListed } = pin
  if (isListed && seen === hash) return undefined
  pin.isListed = true
  pin.seen = hash
  if (isListed) return { ...told(occasion), name, kind: 'changed', before: seen, after: hash }
  const before = seen === hash ? {} : { before: seen }
  return { ...told(occasion), name, kind: 'added', ...before, after: hash }
}

function judgementOf(pin: ToolPin, given: string): Judgement {
  // The same text once: a long list has thousands.
  const hash = given === pin.seen ? pin.seen : given
  if (hash === pin.refused) return { verdict: 'refused', hash }
  if (hash === pin.approved?.hash) return { verdict: 'approved', hash }
  const isNew = pin.approved === undefined && pin.refused === undefined
  return { verdict: isNew ? 'new' : 'changed', hash }
}

function told({ at, packageVersion }: Occasion): Pick<PinEvent, 'at' | 'packageVersion'> {
  return packageVersion === undefined ? { at } : { at, packageVersion }
}

/** Of tools that are no longer listed, those that were remembered first go; should they come back, they are new. */
function forgetMost(pins: PinMap): void {
  for (const { name, isListed } of pins.values()) {
    if (pins.size <= MOST_PINS) return
    if (!isListed) pins.delete(name)
  }
}
