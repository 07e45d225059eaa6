import { type JSX, useMemo, useState } from 'react'

import { readToolsAgain, useTools } from '../../../stores/tools-store'
import { Button } from '../../../ui/controls/button'
import { SearchField } from '../../../ui/controls/search-field'
import { BlankState } from '../../../ui/layout/blank-state'
import { ProblemState } from '../../../ui/layout/problem-state'
import { Skeleton } from '../../../ui/layout/skeleton'
import { enterList } from '../../../ui/list/virtual-list'
import { formatCount } from '../../../ui/text/format'
import { ALL_TOOLS } from './list-groups'
import { switchTools } from './switch-shown'
import { ToolDetailSheet } from './tool-detail'
import { ToolGroups } from './tool-groups'
import type { ToolRowActs } from './tool-row'
import { ToolsBar } from './tools-bar'
import type { ToolListing } from './use-tool-listing'

/** The search of a list of tools. */
export function ToolSearch({ listing }: { readonly listing: ToolListing }): JSX.Element {
  const { view, found, onView } = listing
  return (
    <SearchField
      label="Search tools"
      placeholder="Search tools"
      value={view.query}
      onChange={(query) => onView({ query })}
      onArrowDown={enterList}
      meta={view.query.trim() === '' ? undefined : `${formatCount(found.length)} found`}
    />
  )
}

/** Stands in place of a list of tools that is being read or could not be. */
export function ToolsWaiting(): JSX.Element {
  const { problem } = useTools()
  if (!problem) return <Skeleton label="Loading tools" rows={6} />
  return <ProblemState title="Can’t load tools" problem={problem} onRetry={readToolsAgain} />
}

/** Tools in groups below a bar that filters, sorts and selects them; the opened one stands at the edge of the window. */
export function ToolList({ listing }: { readonly listing: ToolListing }): JSX.Element {
  const { all, groups, chosen, onView } = listing
  const [openKey, setOpenKey] = useState<string>()
  const { toggle } = chosen
  const acts = useMemo(
    (): ToolRowActs => ({
      onToggle: (listed, isOn) => switchTools(all, [listed], isOn),
      onOpen: ({ key }) => setOpenKey(key),
      onSelect: ({ key }, isRange) => toggle(key, isRange),
    }),
    [all, toggle],
  )
  const opened = all.find(({ key }) => key === openKey)
  return (
    <>
      <ToolsBar {...listing} />
      {groups.length === 0 ? (
        <BlankState
          art="open"
          title="No matching tools"
          message="Change or clear the search and filters."
          action={<Button onClick={() => onView(ALL_TOOLS)}>Show all</Button>}
        />
      ) : (
        <ToolGroups {...listing} acts={acts} selected={chosen.ids} />
      )}
      {opened && (
        <ToolDetailSheet listed={opened} all={all} onClose={() => setOpenKey(undefined)} />
      )}
    </>
  )
}
