import './bundle.css'

import type { ReactElement } from 'react'
import { useState } from 'react'

import { pickPath } from '../../ipc/pick-path'
import { useApp } from '../../stores/app-store'
import { Field } from '../../ui/field'
import { Page } from '../../ui/page'
import { PathInput } from '../../ui/path-input'
import { OpenButton, OpeningView } from './opening-view'
import { useOpening } from './use-opening'

const CRUMBS = [{ label: 'Catalog', href: '/catalog' }]

/** Opens a bundle file of the computer that Patchbay runs on. */
export function OpenBundlePage(): ReactElement {
  const canPickPath = useApp((state) => state.app?.info.canPickPath) ?? false
  const [path, setPath] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const { opening, open, cancel } = useOpening()

  function change(next: string): void {
    setPath(next)
    setIsMissing(false)
  }
  function openPath(chosen: string): void {
    setIsMissing(chosen.trim() === '')
    if (chosen.trim() !== '' && opening.kind !== 'opening') open({ kind: 'file', path: chosen })
  }
  async function browse(): Promise<void> {
    const chosen = await pickPath('file')
    if (chosen === null) return
    change(chosen)
    openPath(chosen)
  }
  return (
    <Page title="Open a bundle" crumbs={CRUMBS}>
      {opening.kind === 'opened' ? null : (
        <form
          className="bundle-part"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            openPath(path)
          }}
        >
          <Field
            id="bundle-path"
            label="Bundle file"
            hint="A file that ends in .mcpb or .dxt, as publishers hand it out."
            problem={isMissing ? 'Enter the path of a file.' : undefined}
          >
            {(ids) => (
              <PathInput
                {...ids}
                autoFocus
                placeholder="/home/you/Downloads/server.mcpb"
                value={path}
                onValueChange={change}
                onBrowse={canPickPath ? () => void browse() : undefined}
              />
            )}
          </Field>
        </form>
      )}
      <OpeningView opening={opening} verb="Reading" onCancel={cancel} />
      <OpenButton opening={opening} label="Open" onOpen={() => openPath(path)} />
    </Page>
  )
}
