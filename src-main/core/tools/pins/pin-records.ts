import * as z from 'zod'

import type { Tool } from '../../../../src-shared/domain/agents/capability'
import { ToolChange } from '../../../../src-shared/domain/agents/tools'
import type { ToolIdentity } from '../../mcp/json/definition-identity'
import { isToolName } from '../names/tool-names'

/** The state of a tool relative to what was approved. */
type PinState = 'approved' | 'new' | 'changed' | 'refused'

/** A tool's decision, and its current definition. */
export type PinnedTool = ToolIdentity & { readonly pinState: PinState }

/** Maximum number of remembered tools per server, including removed ones. */
export const MAX_PINS = 10_000

export const Hash = z.string().regex(/^[0-9a-f]{64}$/u)

/** The record of a tool. Each hash covers a whole definition; earlier versions stored no meaning. */
export const ToolPin = z.object({
  name: z.string(),
  /** The last listed one. */
  seen: Hash,
  meaning: Hash.optional(),
  isListed: z.boolean(),
  approved: z.object({ hash: Hash, meaning: Hash.optional(), at: z.number() }).optional(),
  /** The last rejected one. */
  refused: Hash.optional(),
  refusedMeaning: Hash.optional(),
})
export type ToolPin = z.infer<typeof ToolPin>

/** An event of the history; the definitions before and after are stored separately, by hash. */
export const PinEvent = ToolChange.omit({ before: true, after: true }).extend({
  before: Hash.optional(),
  after: Hash.optional(),
})
export type PinEvent = z.infer<typeof PinEvent>

/** The pins of one server by name. */
export type PinMap = Map<string, ToolPin>

export type ReviewedTool = { readonly name: string; readonly hash: string }

/** A tool as it is listed now. */
export type IdentifiedTool = ToolIdentity & { readonly tool: Tool }

/** Returns the meaning of a stored definition by its hash. */
export type StoredMeaningOf = (hash: string) => string | undefined

/** The time of an event, and the package version. */
export type EventContext = Pick<PinEvent, 'at' | 'packageVersion'>

/**
 * Decides on a listing in its order and records it in `pins`; with `approvesAll` every tool is approved. For a duplicate name the first
 * tool counts, and the others are compared with it. Events are in chronological order.
 */
export function readListing(
  pins: PinMap,
  listed: readonly IdentifiedTool[],
  {
    approvesAll,
    keptMeaning,
    ...occasion
  }: EventContext & { readonly approvesAll: boolean; readonly keptMeaning: StoredMeaningOf },
): { readonly pinned: PinnedTool[]; readonly events: PinEvent[] } {
  const events: PinEvent[] = []
  const names = new Set<string>()
  const pinned = listed.map(({ tool: { name }, hash, meaning }, index): PinnedTool => {
    const identity = { hash, meaning }
    // Tools with any other name are never exposed, so there is nothing to record.
    if (!isToolName(name) || index >= MAX_PINS) return { pinState: 'new', ...identity }
    const isFirst = !names.has(name)
    names.add(name)
    const before = pins.get(name)
    if (before) addMeanings(before, identity, keptMeaning)
    const event = isFirst ? recordListed(pins, name, identity, occasion) : undefined
    if (event) events.push(event)
    const pin = pins.get(name)
    if (!pin) return { pinState: 'new', ...identity }
    if (isFirst && approvesAll && !isApproved(pin, identity))
      pin.approved = { hash: pin.seen, meaning, at: occasion.at }
    return pinnedTool(pin, identity)
  })
  for (const pin of pins.values()) {
    if (!pin.isListed || names.has(pin.name)) continue
    pin.isListed = false
    events.push({ ...occasion, name: pin.name, kind: 'removed', before: pin.seen })
  }
  dropOldestRemoved(pins)
  return { pinned, events }
}

/** Records a user's decision about a tool as currently listed; returns undefined if nothing changed. */
export function decidePin(
  pin: ToolPin,
  decision: 'approve' | 'reject',
  occasion: EventContext,
): PinEvent | undefined {
  const { name, seen, meaning = '' } = pin
  const current = { hash: seen, meaning }
  const before = pin.approved?.hash
  const event = {
    ...occasion,
    name,
    ...(before !== undefined && { before }),
    after: seen,
  }
  if (decision === 'approve') {
    if (pinnedTool(pin, current).pinState === 'approved') return undefined
    pin.approved = { hash: seen, meaning: pin.meaning, at: occasion.at }
    delete pin.refused
    delete pin.refusedMeaning
    return { ...event, kind: 'approved' }
  }
  if (isRejected(pin, current)) return undefined
  pin.refused = seen
  pin.refusedMeaning = pin.meaning
  if (isApproved(pin, current)) delete pin.approved
  return { ...event, kind: 'refused' }
}

/** Returns the event of a changed tool; irrelevant changes have none. */
function recordListed(
  pins: PinMap,
  name: string,
  { hash, meaning }: ToolIdentity,
  occasion: EventContext,
): PinEvent | undefined {
  const pin = pins.get(name)
  if (!pin) {
    pins.set(name, { name, seen: hash, meaning, isListed: true })
    return { ...occasion, name, kind: 'added', after: hash }
  }
  const { seen, isListed } = pin
  const isSame = seen === hash || pin.meaning === meaning
  Object.assign(pin, { isListed: true, seen: hash, meaning })
  if (isListed && isSame) return undefined
  const kind = isListed ? 'changed' : 'added'
  const before = isSame ? {} : { before: seen }
  return { ...occasion, name, kind, ...before, after: hash }
}

/** Completes records of an earlier version. */
function addMeanings(
  pin: ToolPin,
  { hash, meaning }: ToolIdentity,
  storedMeaningOf: StoredMeaningOf,
): void {
  const meaningOf = (other: string): string | undefined =>
    other === hash ? meaning : storedMeaningOf(other)
  pin.meaning ??= meaningOf(pin.seen)
  if (pin.approved) pin.approved.meaning ??= meaningOf(pin.approved.hash)
  if (pin.refused !== undefined) pin.refusedMeaning ??= meaningOf(pin.refused)
}

function pinnedTool(pin: ToolPin, identity: ToolIdentity): PinnedTool {
  if (isRejected(pin, identity)) return { pinState: 'refused', ...identity }
  if (isApproved(pin, identity)) return { pinState: 'approved', ...identity }
  const isNew = pin.approved === undefined && pin.refused === undefined
  return { pinState: isNew ? 'new' : 'changed', ...identity }
}

function isApproved({ approved }: ToolPin, { hash, meaning }: ToolIdentity): boolean {
  return approved !== undefined && (approved.hash === hash || approved.meaning === meaning)
}

function isRejected(
  { refused, refusedMeaning }: ToolPin,
  { hash, meaning }: ToolIdentity,
): boolean {
  return refused !== undefined && (refused === hash || refusedMeaning === meaning)
}

/** Drops the oldest records of removed tools; should these return, they are new. */
function dropOldestRemoved(pins: PinMap): void {
  for (const { name, isListed } of pins.values()) {
    if (pins.size <= MAX_PINS) return
    if (!isListed) pins.delete(name)
  }
}
