import './tool-list.css'

import type { JSX } from 'react'
import { useMemo, useState } from 'react'

import type { Tool } from '../../../src-shared/domain/agents/capability'
import type { ServerTools } from '../../../src-shared/domain/agents/tools'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { choiceOf, readToolsAgain, useServerTools, useTools } from '../../stores/tools-store'
import { SearchField } from '../../ui/controls/search-field'
import { BlankState } from '../../ui/layout/blank-state'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { CapabilityPanel } from './capability-panel'
import { ChoiceHead } from './choice-head'
import type { OfferedTool } from './offered-tools'
import { foundOffered, offeredLines, offeredTools } from './offered-tools'
import { ToolLines } from './tool-lines'

const SEARCH_FROM = 9

function Found({
  numbers,
  all,
}: {
  readonly numbers: ServerTools
  readonly all: readonly OfferedTool[]
}): JSX.Element {
  const [query, setQuery] = useState('')
  const found = useMemo(() => foundOffered(all, query), [all, query])
  const lines = useMemo(() => offeredLines(found), [found])
  return (
    <>
      {all.length >= SEARCH_FROM && (
        <div className="tool-search row below-1">
          <SearchField
            label="Search tools"
            placeholder="Name or description"
            value={query}
            onChange={setQuery}
            meta={query === '' ? undefined : `${found.length} of ${all.length}`}
          />
        </div>
      )}
      {found.length === 0 ? (
        <BlankState
          art="open"
          title="No matching tools"
          message={`Try another name or description, or clear the search.`}
        />
      ) : (
        <ToolLines numbers={numbers} lines={lines} all={all} />
      )}
    </>
  )
}

function Tools({
  server,
  tools,
}: {
  readonly server: ServerView
  readonly tools: readonly Tool[]
}): JSX.Element {
  const { installationId } = server
  const known = useTools()
  const numbers = useServerTools(installationId)
  const choice = numbers && choiceOf(numbers, known.pending)
  const all = useMemo(() => {
    const views = known.tools?.filter((tool) => tool.installationId === installationId)
    return views && choice && offeredTools(views, tools, choice)
  }, [known.tools, tools, installationId, choice])
  if (known.tools === null && known.problem !== null)
    return (
      <ProblemState title="Can’t load tools" problem={known.problem} onRetry={readToolsAgain} />
    )
  if (!numbers || !choice || !all) return <Skeleton label="Loading tools" rows={5} />
  const chosen = { ...numbers, choice }
  return (
    <>
      <ChoiceHead server={server} numbers={chosen} all={all} />
      {all.length === 0 ? (
        <BlankState art="open" title="No tools" message="This server doesn’t offer tools." />
      ) : (
        <Found numbers={chosen} all={all} />
      )}
    </>
  )
}

/** The tools of a server, each with its switch, its description and its arguments. */
export function ToolList({ server }: { readonly server: ServerView }): JSX.Element {
  return (
    <CapabilityPanel server={server} label="Tools" noun="tools">
      {({ tools }) => <Tools server={server} tools={tools} />}
    </CapabilityPanel>
  )
}
