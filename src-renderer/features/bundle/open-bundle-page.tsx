import { type ReactElement, useEffect, useEffectEvent, useState } from 'react'
import { useSearch } from 'wouter'

import { CATALOG_CRUMBS } from '../../frame/loaded-page'
import { useServer } from '../../stores/app-store'
import { followDropped } from '../../stores/dropped-bundle'
import { usePickPath } from '../../stores/pick-path'
import { Field, PathInput } from '../../ui/fields/field'
import { Page } from '../../ui/layout/page'
import { OpeningView, useOpening } from './opening-view'

/** The words of the page; with the name of the server that a newer file is looked for. */
function wordsOf(
  updated: string | undefined,
  canDrop: boolean,
): { readonly title: string; readonly hint: string } {
  const drop = canDrop ? ' Or drop the file on this window.' : ''
  return updated === undefined
    ? {
        title: 'Open bundle',
        hint: `Choose a .mcpb or .dxt file from a publisher.${drop}`,
      }
    : {
        title: `Update ${updated} from file`,
        hint: `Choose a newer .mcpb or .dxt file of the same bundle. You review the changes first.${drop}`,
      }
}

/** Opens a bundle file of the computer that Patchbay runs on. */
export function OpenBundlePage(): ReactElement {
  const pick = usePickPath('file')
  const [path, setPath] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const { opening, open, cancel } = useOpening()
  const updated = useServer(new URLSearchParams(useSearch()).get('newer-of') ?? '')
  const words = wordsOf(updated?.name, pick !== undefined)

  function change(next: string): void {
    setPath(next)
    setIsMissing(false)
  }
  function openPath(chosen: string): void {
    setIsMissing(chosen.trim() === '')
    if (chosen.trim() !== '' && opening.kind !== 'opening') open({ kind: 'file', path: chosen })
  }
  function openChosen(chosen: string): void {
    change(chosen)
    openPath(chosen)
  }
  const openDropped = useEffectEvent(openChosen)
  const isOpening = opening.kind === 'opening'
  // While one is opened, the next that is dropped waits for its end.
  useEffect(
    () => (isOpening ? undefined : followDropped((dropped) => openDropped(dropped))),
    [isOpening],
  )
  return (
    <Page title={words.title} crumbs={CATALOG_CRUMBS}>
      <div className="grid max-w-text gap-6">
        {opening.kind === 'opened' ? null : (
          <form
            className="grid gap-3"
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              openPath(path)
            }}
          >
            <Field
              id="bundle-path"
              label="Bundle file"
              hint={words.hint}
              problem={isMissing ? 'Enter a file path.' : undefined}
            >
              {(ids) => (
                <PathInput
                  {...ids}
                  autoFocus
                  placeholder="/home/you/Downloads/server.mcpb"
                  value={path}
                  onValueChange={change}
                  pick={pick}
                  onPick={openChosen}
                />
              )}
            </Field>
          </form>
        )}
        <OpeningView
          {...{ opening }}
          verb="Reading"
          label="Open"
          onOpen={() => openPath(path)}
          onCancel={cancel}
        />
      </div>
    </Page>
  )
}
