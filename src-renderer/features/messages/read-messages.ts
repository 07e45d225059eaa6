import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import { call, toErrorShape } from '../../ipc/call'
import {
  changeMessageLog,
  extended,
  messageLogOf,
  type MessageLogState,
  MOST_MESSAGES,
} from './message-store'
import { type FoundText, isText } from './message-view'

/** Messages of one request: what is read in one go leaves the page time for the user. */
const AT_ONCE = 2_000
/** How often a text is looked for again while messages come, in ms. */
const FIND_EVERY_MS = 1_000

/** The servers that are read from, and those that are searched: one request of each at a time. */
const reading = new Set<string>()
const searching = new Set<string>()

/** Reads what came since the last look, unless that is paused, and begins to look for the text in it. Does not reject. */
export async function readMessages(installationId: string): Promise<void> {
  if (!messageLogOf(installationId).isPaused) await read(installationId)
  void findText(installationId)
}

async function read(installationId: string): Promise<void> {
  if (reading.has(installationId)) return
  reading.add(installationId)
  const { edition } = messageLogOf(installationId)
  const isCurrent = (): boolean => messageLogOf(installationId).edition === edition
  try {
    for (let rounds = 0; rounds < MOST_MESSAGES / AT_ONCE; rounds += 1) {
      const afterSeq = messageLogOf(installationId).lastSeq
      const answer = await call('messages.read', { installationId, afterSeq, limit: AT_ONCE })
      if (!isCurrent()) return
      changeMessageLog(installationId, (known) => extended(known, answer))
      if (answer.entries.length < AT_ONCE) break
    }
    const { isRead, problem } = messageLogOf(installationId)
    if (!isRead || problem)
      changeMessageLog(installationId, () => ({ isRead: true, problem: undefined }))
  } catch (thrown) {
    if (isCurrent()) changeMessageLog(installationId, () => ({ problem: toErrorShape(thrown) }))
  } finally {
    reading.delete(installationId)
  }
}

/** Whether the text that is filtered was not looked for yet in all that is there. */
function isFindDue({ view, found, lastSeq }: MessageLogState): boolean {
  if (!isText(view.text)) return false
  if (found?.text !== view.text) return true
  const isOld = found.upTo < lastSeq || found.problem !== undefined
  return isOld && performance.now() - found.at >= FIND_EVERY_MS
}

/** Looks for the text that is filtered, where that is due. Does not reject. */
export async function findText(installationId: string): Promise<void> {
  const known = messageLogOf(installationId)
  const { view, lastSeq, edition } = known
  if (searching.has(installationId) || !isFindDue(known)) return
  searching.add(installationId)
  const found = await search(known, { installationId, text: view.text, upTo: lastSeq })
  searching.delete(installationId)
  if (messageLogOf(installationId).edition === edition)
    changeMessageLog(installationId, () => ({ found }))
  // What was typed meanwhile is looked for at once.
  if (messageLogOf(installationId).view.text !== view.text) await findText(installationId)
}

/** What was looked through for the same text before is not looked through again: on a busy server that is all but the newest. */
async function search(
  { found }: MessageLogState,
  { installationId, text, upTo }: { installationId: string; text: string; upTo: number },
): Promise<FoundText> {
  const isOfBefore = found?.text === text && !found.problem
  const { seqs: before, upTo: afterSeq } = isOfBefore ? found : { seqs: [], upTo: -1 }
  try {
    const newer = await call('messages.find', { installationId, text, afterSeq })
    const [oldest] = messageLogOf(installationId).entries
    const older = [...before].filter((seq) => oldest && seq >= oldest.seq)
    return { text, upTo, seqs: new Set([...older, ...newer]), at: performance.now() }
  } catch (thrown) {
    const seqs = messageLogOf(installationId).found?.seqs ?? new Set()
    return { text, upTo, seqs, at: performance.now(), problem: toErrorShape(thrown) }
  }
}

/** Forgets the messages here and in main; those that come while it is on its way stay. Rejects where main refuses. */
export async function clearMessageLog(installationId: string): Promise<void> {
  await read(installationId)
  const upTo = messageLogOf(installationId).lastSeq
  await call('messages.clear', { installationId })
  const isLater = ({ seq }: MessageEntry): boolean => seq > upTo
  changeMessageLog(installationId, ({ entries }) => ({
    entries: entries.filter(isLater),
    selected: undefined,
    found: undefined,
  }))
}
