import { type JSX, useEffect, useLayoutEffect, useRef, useState } from 'react'

import type { Question } from '../../src-shared/domain/agents/question'
import { isFailed, STATUS_WORD } from '../../src-shared/domain/running/run-status'
import type { ServerView } from '../../src-shared/domain/state/app-state'
import { questionTitle } from '../components/question/question-messages'
import { serverNameOf } from '../components/question/question-store'
import { statusWords } from '../components/status/status-messages'
import { appStore } from '../stores/app-store'

function sentenceOf(server: ServerView): string {
  const { name, status } = server
  const word = STATUS_WORD[status.kind].toLowerCase()
  if (status.kind === 'signInNeeded' || status.kind === 'awaitingSignIn')
    return `${name} needs you to sign in.`
  if (!isFailed(status)) return `${name} is ${word}.`
  const head = status.kind === 'error' ? 'has an error' : `is ${word}`
  return `${name} ${head}. ${statusWords(server, Date.now()).sentence}`
}

/** A reconnect is over and the process is the same: its reason is the newest warning, which stands last. */
function failedReconnect({ name, status }: ServerView): string {
  const reason = status.kind === 'degraded' ? status.warnings.at(-1) : undefined
  if (reason === undefined) return `Reconnecting ${name} failed.`
  return `${name} is ${STATUS_WORD[status.kind].toLowerCase()}. ${reason}`
}

function changeOf(server: ServerView, old: ServerView): string | null {
  const { name, status, upSince, reconnecting } = server
  const isOther = old.status.kind !== status.kind
  if (upSince === undefined || old.upSince === undefined) return isOther ? sentenceOf(server) : null
  if (upSince !== old.upSince)
    return `${name} has a new connection.${isOther ? ` ${sentenceOf(server)}` : ''}`
  if (old.reconnecting !== undefined && reconnecting === undefined) return failedReconnect(server)
  if (isOther) return sentenceOf(server)
  return old.reconnecting === undefined && reconnecting !== undefined
    ? `${name} is reconnecting.`
    : null
}

/** What changed between two lists of servers, as sentences; a server that was not there before says nothing. */
export function statusChanges(
  before: readonly ServerView[],
  after: readonly ServerView[],
): readonly string[] {
  const known = new Map(before.map((server) => [server.installationId, server]))
  return after.flatMap((server) => {
    const old = known.get(server.installationId)
    return (old && changeOf(server, old)) ?? []
  })
}

/** Each question that was not there before, as a sentence. */
export function newQuestions(
  before: readonly Question[],
  after: readonly Question[],
): readonly string[] {
  const known = new Set(before.map(({ questionId }) => questionId))
  return after
    .filter(({ questionId }) => !known.has(questionId))
    .map((question) => `${questionTitle(question, serverNameOf(question))}.`)
}

/** The one polite live region: every change of a server's status and every question, once, as its sentence. */
export function Announcer(): JSX.Element {
  const [{ text, turn }, setSaid] = useState({ text: '', turn: 0 })
  /** Sentences that are not drawn yet: of two changes between two drawings both are said. */
  const waiting = useRef<readonly string[]>([])
  useLayoutEffect(() => {
    waiting.current = []
  }, [turn])
  useEffect(
    () =>
      appStore.subscribe(({ app }, old) => {
        if (!app || !old.app) return
        const sentences = [
          ...statusChanges(old.app.servers, app.servers),
          ...newQuestions(old.app.questions, app.questions),
        ]
        if (sentences.length === 0) return
        waiting.current = [...waiting.current, ...sentences]
        const said = waiting.current.join(' ')
        setSaid((last) => ({ text: said, turn: last.turn + 1 }))
      }),
    [],
  )
  return (
    <p className="sr-only" role="status" aria-live="polite" aria-label="Status changes">
      {/* A new node each time: the same words twice are two announcements. */}
      <span key={turn}>{text}</span>
    </p>
  )
}
