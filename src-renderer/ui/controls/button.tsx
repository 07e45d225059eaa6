import clsx from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ComponentPropsWithRef, JSX, MouseEvent, ReactNode } from 'react'
import { Link } from 'wouter'
import { createStore } from 'zustand/vanilla'

import { StatusGlyph } from '../marks/status-glyph'
import { Tooltip } from './tooltip'

/** Emphasis of a button. A view has at most one primary; `danger-solid` only in a confirmation dialog. */
export type ButtonVariant = 'default' | 'primary' | 'quiet' | 'danger' | 'danger-solid'

type Appearance = {
  readonly variant?: ButtonVariant
  readonly size?: 'small' | 'default' | 'form'
  readonly icon?: LucideIcon
}

/** `busy` shows a spinner, keeps the focus and ignores clicks until the work is done. */
type ButtonProps = ComponentPropsWithRef<'button'> & Appearance & { readonly busy?: boolean }

const VARIANT: Record<ButtonVariant, string> = {
  default: '',
  primary: 'btn-primary',
  quiet: 'btn-quiet',
  danger: 'btn-danger',
  'danger-solid': 'btn-danger-solid',
}

function buttonClass({ variant = 'default', size = 'default' }: Appearance): string {
  return clsx(
    'btn',
    VARIANT[variant],
    size === 'small' && 'btn-small text-small',
    size === 'form' && 'btn-field',
  )
}

/** A button with a verb as label. */
export function Button({
  variant,
  size,
  busy = false,
  icon: Icon,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps): JSX.Element {
  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    if (busy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      className={clsx(buttonClass({ variant, size }), className)}
      onClick={press}
    >
      {busy ? (
        <StatusGlyph status="starting" inherit />
      ) : (
        Icon && <Icon className="icon" aria-hidden />
      )}
      {children}
    </button>
  )
}

/** A link to another screen that looks like a button. */
export function ButtonLink({
  href,
  icon: Icon,
  children,
  className,
  variant,
  size,
  ...rest
}: Appearance & {
  readonly href: string
  readonly children: ReactNode
  readonly className?: string
  readonly tabIndex?: number
  readonly 'aria-label'?: string
}): JSX.Element {
  return (
    <Link href={href} className={clsx(buttonClass({ variant, size }), className)} {...rest}>
      {Icon && <Icon className="icon" aria-hidden />}
      {children}
    </Link>
  )
}

/** A quiet square button; its label is accessible, and shown with its shortcut in a tooltip. */
export function IconButton({
  label,
  icon: Icon,
  shortcut,
  small = false,
  className,
  ...rest
}: Omit<ComponentPropsWithRef<'button'>, 'children' | 'aria-label'> & {
  readonly label: string
  readonly icon: LucideIcon
  readonly shortcut?: string
  readonly small?: boolean
}): JSX.Element {
  return (
    <Tooltip content={label} shortcut={shortcut}>
      <button
        type="button"
        aria-label={label}
        aria-keyshortcuts={shortcut}
        className={clsx('btn btn-quiet btn-icon', small && 'btn-small text-small', className)}
        {...rest}
      >
        <Icon className={clsx('icon', small && 'icon-s')} aria-hidden />
      </button>
    </Tooltip>
  )
}

/** Topic of the error help dialog. */
export const helpStore = createStore<{ readonly topic: string | undefined }>(() => ({
  topic: undefined,
}))

/** Opens the section of docs/errors.md about an error code, failure cause or kind of protocol warning. */
export function showErrorHelp(topic: string): void {
  helpStore.setState({ topic })
}

export function closeErrorHelp(): void {
  helpStore.setState({ topic: undefined })
}

/** A button that explains an error, offline. */
export function LearnMore({ topic }: { readonly topic: string }): JSX.Element {
  return (
    <button
      type="button"
      className="text-button bare text-accent"
      aria-label={`Learn more about ${topic}`}
      onClick={() => showErrorHelp(topic)}
    >
      Learn more
    </button>
  )
}
