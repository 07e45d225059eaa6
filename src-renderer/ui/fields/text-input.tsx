import clsx from 'clsx'
import { Folder, type LucideIcon } from 'lucide-react'
import type { ComponentProps, KeyboardEvent, ReactElement, ReactNode, Ref } from 'react'

import { Button } from '../controls/button'

type TextInputProps = Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'ref'> & {
  value: string
  onValueChange: (value: string) => void
  mono?: boolean
  icon?: LucideIcon
  /** Stands inside the frame at the right: a button, a word. */
  suffix?: ReactNode
  inputRef?: Ref<HTMLInputElement>
}

/** A one-line input in the frame of the house. */
export function TextInput(props: TextInputProps): ReactElement {
  const { value, onValueChange, mono = false, icon: Icon, suffix, inputRef, ...rest } = props
  const bad = rest['aria-invalid'] === true
  return (
    <div className={clsx('input', bad && 'is-invalid', rest.disabled === true && 'is-disabled')}>
      {Icon ? <Icon className="icon icon-s text-faint" aria-hidden="true" /> : null}
      <input
        spellCheck={false}
        autoComplete="off"
        {...rest}
        ref={inputRef}
        className={clsx(mono && 'mono', rest.className)}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
      />
      {suffix}
    </div>
  )
}

type AreaProps = Omit<ComponentProps<'textarea'>, 'onChange' | 'value'> & {
  value: string
  onValueChange: (value: string) => void
}

/**
 * An input of one line that grows with pasted lines: a one-line input would take the line breaks out
 * of a value without a word. Enter alone adds none; Shift+Enter does.
 */
export function GrowingInput({ value, onValueChange, ...rest }: AreaProps): ReactElement {
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !event.shiftKey) event.preventDefault()
  }
  return (
    <textarea
      rows={1}
      spellCheck={false}
      autoComplete="off"
      onKeyDown={onKeyDown}
      {...rest}
      className={clsx(
        'input growing-input',
        rest['aria-invalid'] === true && 'is-invalid',
        rest.className,
      )}
      value={value}
      onChange={(event) => onValueChange(event.target.value)}
    />
  )
}

/** Several lines of text that a machine reads. */
export function CodeArea({ value, onValueChange, ...rest }: AreaProps): ReactElement {
  return (
    <textarea
      rows={8}
      spellCheck={false}
      autoComplete="off"
      {...rest}
      className="input mono bounded"
      value={value}
      onChange={(event) => onValueChange(event.target.value)}
    />
  )
}

type PathInputProps = Omit<ComponentProps<typeof TextInput>, 'icon' | 'mono' | 'suffix'> & {
  /** Opens the system's dialog and resolves with the path, or null; without it there is no Browse button. */
  pick?: (() => Promise<string | null>) | undefined
  /** Gets the path that was picked, where that is not as if it were typed. */
  onPick?: (path: string) => void
  /** Names the Browse button apart from its neighbours'; "Browse" without it. */
  browseLabel?: string
}

/** An input for a path on this computer. */
export function PathInput(props: PathInputProps): ReactElement {
  const { pick, onPick = props.onValueChange, browseLabel, ...rest } = props
  async function browse(): Promise<void> {
    const path = await pick?.()
    if (typeof path === 'string') onPick(path)
  }
  return (
    <TextInput
      {...rest}
      icon={Folder}
      mono
      suffix={
        pick && (
          <Button
            variant="quiet"
            size="small"
            aria-label={browseLabel}
            onClick={() => void browse()}
          >
            Browse
          </Button>
        )
      }
    />
  )
}
