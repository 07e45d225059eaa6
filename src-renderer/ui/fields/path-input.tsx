import { Folder } from 'lucide-react'
import type { ComponentProps, ReactElement, ReactNode } from 'react'

import { Button } from '../controls/button'
import { TextInput } from './text-input'

type PathInputProps = Omit<ComponentProps<typeof TextInput>, 'icon' | 'mono' | 'suffix'> & {
  /** Opens the system's dialog; without it there is no Browse button. */
  onBrowse?: (() => void) | undefined
  /** Names the Browse button apart from its neighbours'; "Browse" without it. */
  browseLabel?: string
  note?: ReactNode
}

/** An input for a path on this computer. */
export function PathInput(props: PathInputProps): ReactElement {
  const { onBrowse, browseLabel, note, ...rest } = props
  const browse = onBrowse ? (
    <Button type="button" variant="quiet" size="small" aria-label={browseLabel} onClick={onBrowse}>
      Browse
    </Button>
  ) : null
  return (
    <TextInput
      {...rest}
      icon={Folder}
      mono
      suffix={
        <>
          {note}
          {browse}
        </>
      }
    />
  )
}
