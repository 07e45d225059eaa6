import type { JSX } from 'react'
import { useMemo, useRef } from 'react'

import type { AgentTool } from '../../../../src-shared/domain/agents/agent'
import { useServers } from '../../../stores/app-store'
import { tokensWords } from '../../../tool-parts/tool-words'
import { Button } from '../../../ui/controls/button'
import { ProblemText } from '../../../ui/fields/problem-text'
import { WarnText } from '../../../ui/fields/warn-text'
import { Skeleton } from '../../../ui/layout/skeleton'
import { visibleText } from '../../../ui/text/visible-text'
import { limitWords, overCapWords, shownWords } from '../endpoint/agent-words'
import { typedTools } from './profile-draft'
import type { Editing } from './use-profile-draft'
import type { ShownTools } from './use-shown-tools'
import { useShownWindow } from './use-shown-window'

function tokensOf(tools: readonly AgentTool[]): number | undefined {
  const counted = tools.flatMap(({ tokens }) => tokens ?? [])
  return counted.length < tools.length ? undefined : counted.reduce((sum, one) => sum + one, 0)
}

function useServerNames(): ReadonlyMap<string, string> {
  const servers = useServers()
  return useMemo(
    () => new Map(servers.map(({ installationId, name }) => [installationId, name])),
    [servers],
  )
}

function ToolRows({ tools }: { readonly tools: readonly AgentTool[] }): JSX.Element {
  const region = useRef<HTMLDivElement>(null)
  const names = useServerNames()
  const virtualizer = useShownWindow(region, tools.length)
  return (
    <div
      ref={region}
      className="preview-body fill scroll shown-tools anchor"
      tabIndex={0}
      role="region"
      aria-label="Tools that it is shown"
    >
      <ul className="anchor" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const tool = tools[index]
          if (!tool) return null
          const { installationId, exposedName, tokens } = tool
          return (
            <li
              key={exposedName}
              className="placed ruled-above row gap-3 tight"
              aria-posinset={index + 1}
              aria-setsize={tools.length}
              style={{ transform: `translateY(${start}px)` }}
            >
              <span className="grow stack">
                <code className="cut">{visibleText(exposedName)}</code>
                <span className="cut faint small">{names.get(installationId) ?? ''}</span>
              </span>
              <span className="hide-small right faint small num nowrap">
                {tokens !== undefined && tokensWords(tokens)}
              </span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** That there is more than its app or its cap takes, with the ways on. */
function Warnings({
  editing: { draft, change },
  shown: { tools, overCap },
  onChoose,
}: {
  readonly editing: Editing
  readonly shown: ShownTools
  readonly onChoose: () => void
}): JSX.Element {
  const { name, searchMode, toolCap, appLimit } = draft
  const limit = typedTools(appLimit)
  const tooMany = searchMode ? undefined : limitWords(name, limit, tools.length)
  return (
    <div className="stack gap-2">
      <WarnText>{tooMany}</WarnText>
      {tooMany !== undefined && (
        <p className="row gap-2 slim wrap">
          <Button size="small" onClick={onChoose}>
            Choose tools
          </Button>
          <Button size="small" onClick={() => change({ toolCap: appLimit.trim() })}>
            {`Cap at ${appLimit.trim()}`}
          </Button>
          <Button size="small" onClick={() => change({ searchMode: true })}>
            Let it search
          </Button>
        </p>
      )}
      <WarnText>{overCapWords(overCap, typedTools(toolCap) ?? tools.length)}</WarnText>
    </div>
  )
}

function Shown(props: {
  readonly editing: Editing
  readonly shown: ShownTools
  readonly onChoose: () => void
}): JSX.Element {
  const { searchMode } = props.editing.draft
  const { tools } = props.shown
  return (
    <>
      <div className="pad-bar stack gap-1">
        <h2 className="num lead" aria-live="polite">
          {shownWords(tools.length, searchMode)}
        </h2>
        {tools.length > 0 && !searchMode && (
          <p className="soft num">{`${tokensWords(tokensOf(tools))} of every conversation`}</p>
        )}
        {searchMode && (
          <p className="soft">
            <code>find_tools</code> and <code>call_tool</code>, instead of these:
          </p>
        )}
        <Warnings {...props} />
      </div>
      <ToolRows tools={tools} />
    </>
  )
}

/** What the agent is shown with the profile as it stands in the form. */
export function ShownPreview(props: {
  readonly editing: Editing
  readonly shown: ShownTools | undefined
  readonly problem: string | undefined
  /** Leads to the choice of servers and tools. */
  readonly onChoose: () => void
}): JSX.Element {
  const { shown, problem } = props
  return (
    <aside className="aside subtle col" aria-label="What it is shown">
      {problem !== undefined && (
        <div className="pad-bar stack gap-1">
          <ProblemText>{problem}</ProblemText>
        </div>
      )}
      {shown && <Shown {...props} shown={shown} />}
      {!shown && problem === undefined && <Skeleton label="Reading its tools" rows={6} />}
    </aside>
  )
}
