import type { JSX } from 'react'
import { useId, useState } from 'react'
import { useLocation } from 'wouter'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { useCapabilities } from '../../components/tool/use-capabilities'
import { ToolRunFrame } from '../../components/tool-run/tool-run-frame'
import { toolRunPlace } from '../../components/tool-run/tool-run-place'
import { Switch } from '../../ui/controls/switch'
import { InlineField } from '../../ui/fields/field'
import { Tag } from '../../ui/marks/tag'
import { formatTime } from '../../ui/text/format'
import { PlainText } from '../../ui/text/plain-text'
import { shortName, shortText } from '../../ui/text/visible-text'
import { useWatch, type Watch } from './use-watch'

/** What the server says of a resource that it lists. */
function About({
  server,
  uri,
}: {
  readonly server: ServerView
  readonly uri: string
}): JSX.Element | null {
  const { value: capabilities } = useCapabilities(server)
  const listed = capabilities?.resources.find((one) => one.uri === uri)
  if (!listed) return null
  const { name, title, description, mimeType } = listed
  return (
    <div className="stack gap-3 slim">
      <p className="medium ink">
        {shortName(title ?? name)} {mimeType !== undefined && <Tag>{shortText(mimeType)}</Tag>}
      </p>
      {description !== undefined && <PlainText text={description} />}
    </div>
  )
}

function changedWords({ isOn, updates }: Watch, readsAnew: boolean): string {
  if (!isOn || updates === undefined) return ''
  const when = `Changed at ${formatTime(updates.lastAt)}.`
  return readsAnew ? when : `${when} Read it again to see the latest version.`
}

function Watching({
  watch,
  readsAnew,
  onReadsAnew,
}: {
  readonly watch: Watch
  readonly readsAnew: boolean
  readonly onReadsAnew: (readsAnew: boolean) => void
}): JSX.Element {
  const id = useId()
  const { isOn, setOn, problem } = watch
  return (
    <div className="stack gap-3 slim">
      <InlineField
        id={`${id}-watch`}
        label="Watch for changes"
        hint="The server reports changes while this page is open."
        problem={problem}
      >
        {(ids) => <Switch {...ids} checked={isOn} onCheckedChange={setOn} />}
      </InlineField>
      {isOn && (
        <InlineField id={`${id}-again`} label="Refresh automatically">
          {(ids) => <Switch {...ids} checked={readsAnew} onCheckedChange={onReadsAnew} />}
        </InlineField>
      )}
      <p role="status" aria-label="Changes" className="soft">
        {changedWords(watch, readsAnew)}
      </p>
    </div>
  )
}

/** Tries a resource of a server: reads it, and watches it where the server tells of changes. */
export function ResourceToolRun({
  server,
  name: uri,
}: {
  readonly server: ServerView
  readonly name: string
}): JSX.Element {
  const { installationId } = server
  const [, navigate] = useLocation()
  const watch = useWatch(installationId, uri)
  const [readsAnew, setReadsAnew] = useState(false)
  const round = readsAnew ? watch.updates?.count : undefined
  return (
    <div className="column slim-parts stack gap-3 slim">
      <About server={server} uri={uri} />
      <ToolRunFrame
        server={server}
        verb="Read"
        method="resources/read"
        target={uri}
        makeRequest={() => ({ method: 'resources/read', params: { uri } })}
        onOpenResource={(other) => navigate(toolRunPlace(installationId, 'resource', other))}
        round={round}
      >
        <Watching watch={watch} readsAnew={readsAnew} onReadsAnew={setReadsAnew} />
      </ToolRunFrame>
    </div>
  )
}
