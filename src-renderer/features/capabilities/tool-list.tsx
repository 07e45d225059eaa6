import type { JSX } from 'react'
import { useState } from 'react'

import type { ServerView } from '../../../src-shared/domain/app-state'
import type { Tool } from '../../../src-shared/domain/capability'
import { BlankState } from '../../ui/blank-state'
import { PlainText } from '../../ui/plain-text'
import { SearchField } from '../../ui/search-field'
import { visibleText } from '../../ui/visible-text'
import { ArgumentList } from './argument-list'
import { CapabilityPanel } from './capability-panel'
import { schemaArguments } from './schema-arguments'

const SEARCH_FROM = 9

function matches({ name, title, description }: Tool, query: string): boolean {
  return [name, title, description].some((text) => text?.toLowerCase().includes(query))
}

function ToolRow({ tool }: { readonly tool: Tool }): JSX.Element {
  const { name, title, description, inputSchema } = tool
  return (
    <li className="capability">
      <h2>
        <code>{visibleText(name)}</code>
        {title !== undefined && title !== name && (
          <span className="soft">{visibleText(title)}</span>
        )}
      </h2>
      {description !== undefined && <PlainText text={description} />}
      <ArgumentList args={schemaArguments(inputSchema)} />
    </li>
  )
}

function Tools({ tools }: { readonly tools: readonly Tool[] }): JSX.Element {
  const [query, setQuery] = useState('')
  const found = tools.filter((tool) => matches(tool, query.trim().toLowerCase()))
  if (tools.length === 0) {
    return <BlankState art="open" title="No tools" message="This server offers no tools." />
  }
  return (
    <>
      {tools.length >= SEARCH_FROM && (
        <div className="capability-tools">
          <SearchField
            label="Search tools"
            placeholder="Name or description"
            value={query}
            onChange={setQuery}
            meta={query === '' ? undefined : `${found.length} of ${tools.length}`}
          />
        </div>
      )}
      {found.length === 0 && (
        <BlankState
          art="open"
          title="No tool matches"
          message={`None of ${tools.length} tools has these words in its name or description.`}
        />
      )}
      <ul aria-label="Tools" className="capabilities">
        {found.map((tool, index) => (
          <ToolRow key={`${index}:${tool.name}`} tool={tool} />
        ))}
      </ul>
    </>
  )
}

/** The tools of a server with their descriptions and arguments. */
export function ToolList({ server }: { readonly server: ServerView }): JSX.Element {
  return (
    <CapabilityPanel server={server} label="Tools" noun="tools">
      {({ tools }) => <Tools tools={tools} />}
    </CapabilityPanel>
  )
}
