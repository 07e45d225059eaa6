import type { JSX } from 'react'
import { useEffect, useState } from 'react'

import type { ServerView } from '../../src-shared/domain/app-state'
import { appStore } from '../stores/app-store'
import { errorSentence, STATUS_WORD } from '../ui/status-words'

function sentenceOf({ name, status }: ServerView): string {
  const word = STATUS_WORD[status.kind].toLowerCase()
  if (status.kind !== 'error') return `${name} is ${word}.`
  return `${name} has an error. ${errorSentence(status)}`
}

/** What changed between two lists of servers, as sentences; a server that was not there before says nothing. */
export function statusChanges(
  before: readonly ServerView[],
  after: readonly ServerView[],
): readonly string[] {
  const kinds = new Map(before.map((server) => [server.installationId, server.status.kind]))
  return after
    .filter(({ installationId, status }) => {
      const old = kinds.get(installationId)
      return old !== undefined && old !== status.kind
    })
    .map(sentenceOf)
}

/** The one polite live region: every change of a server's status, once, as its sentence. */
export function Announcer(): JSX.Element {
  const [said, setSaid] = useState('')
  useEffect(
    () =>
      appStore.subscribe(({ app }, old) => {
        if (!app || !old.app || app.servers === old.app.servers) return
        const sentences = statusChanges(old.app.servers, app.servers)
        if (sentences.length > 0) setSaid(sentences.join(' '))
      }),
    [],
  )
  return (
    <p className="sr" role="status" aria-live="polite" aria-label="Status changes">
      {said}
    </p>
  )
}
