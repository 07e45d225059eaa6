import clsx from 'clsx'
import {
  FolderOpen,
  Globe,
  Info,
  KeyRound,
  type LucideIcon,
  Send,
  SquareTerminal,
  TextCursorInput,
} from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'

import type { Package, Remote } from '../../../../src-shared/domain/server-json/server-json'
import { declaredHeaders } from '../../../../src-shared/form/remote-inputs'
import { SectionHeader } from '../../../ui/layout/section'
import {
  bundleLocation,
  commandOf,
  hostOf,
  labelOf,
  namesOf,
  type OfferView,
  type RequiredInput,
  requiredInput,
  transportLabel,
} from './entry-facts'

type Line = {
  readonly key: string
  readonly icon: LucideIcon
  /** Class of the icon's color. */
  readonly tone?: string
  readonly text: ReactNode
}

function labelsOf(fields: RequiredInput['fields']): string {
  return namesOf(fields.map(({ label }) => label))
}

function secretMessage({ secrets }: RequiredInput): string {
  if (secrets.length === 0) return 'Secrets: none.'
  const needed = secrets.filter(({ required }) => required)
  const optional = secrets.filter(({ required }) => !required)
  const messages = [
    needed.length > 0 && `Required secrets: ${labelsOf(needed)}.`,
    optional.length > 0 && `Optional secrets: ${labelsOf(optional)}.`,
  ]
  return messages.filter(Boolean).join(' ')
}

function inputLines(input: RequiredInput): Line[] {
  const plainFields = input.fields.filter(({ secret, control }) => !secret && control !== 'path')
  const paths = `Paths: ${labelsOf(input.paths)}. Patchbay doesn’t restrict the server to them.`
  const lines = [
    input.paths.length > 0 && { key: 'paths', icon: FolderOpen, text: paths },
    plainFields.length > 0 && {
      ...{ key: 'plain', icon: TextCursorInput, text: `Settings: ${labelsOf(plainFields)}.` },
    },
    { key: 'secrets', icon: KeyRound, text: secretMessage(input) },
  ]
  return lines.filter((line) => line !== false)
}

function RunText({ pkg }: { readonly pkg: Package }): ReactElement {
  const offer = { kind: 'package', pkg } as const
  const command = commandOf(offer)
  if (pkg.registryType === 'mcpb') {
    const { host } = bundleLocation(pkg.identifier)
    return (
      <>
        Downloads a file from{' '}
        <b className="font-medium text-foreground">{host ?? 'its publisher'}</b> and verifies the
        file. Runs on this computer with your user permissions.
      </>
    )
  }
  if (command === undefined) return <>Package type: {labelOf(offer)}.</>
  return (
    <>
      Runs on this computer through <b className="font-medium text-foreground">{command}</b> with
      your user permissions.
    </>
  )
}

function packageLines(pkg: Package): Line[] {
  const input = requiredInput({ kind: 'package', pkg })
  const isOpen = pkg.registryType === 'mcpb' && input.fields.length === 0
  return [
    { key: 'run', icon: SquareTerminal, text: <RunText pkg={pkg} /> },
    ...(isOpen
      ? [{ key: 'later', icon: KeyRound, text: 'Settings appear after the download.' }]
      : inputLines(input)),
    {
      key: 'network',
      icon: Globe,
      text: 'Network access: not declared. The registry doesn’t check this.',
    },
  ]
}

function remoteLines(remote: Remote): Line[] {
  const host = hostOf(remote)
  const headers = declaredHeaders(remote.headers).map(({ input }) => input.name)
  const sent = `Sent with every request: ${namesOf(headers)}.`
  return [
    {
      key: 'connect',
      icon: Globe,
      text: (
        <>
          Connects to{' '}
          {host === undefined ? (
            'the address you enter'
          ) : (
            <b className="font-medium text-foreground">{host}</b>
          )}{' '}
          over {transportLabel(remote.type)}. The server runs there, so requests leave this
          computer.
        </>
      ),
    },
    ...(headers.length > 0 ? [{ key: 'headers', icon: Send, text: sent }] : []),
    ...inputLines(requiredInput({ kind: 'remote', remote })),
  ]
}

/** What the user should know before this offer runs or is connected to. */
export function EntryReach({ view }: { readonly view: OfferView }): ReactElement {
  const { offer, note, isReady } = view
  const lines = offer.kind === 'remote' ? remoteLines(offer.remote) : packageLines(offer.pkg)
  const noteElement = <b className="font-medium text-foreground">{note}</b>
  return (
    <section aria-labelledby="reach">
      <SectionHeader
        id="reach"
        level={3}
        title={offer.kind === 'remote' ? 'Before you connect' : 'Before you install'}
      />
      <Lines lines={isReady ? lines : [{ key: 'note', icon: Info, text: noteElement }, ...lines]} />
    </section>
  )
}

/** Sentences, each with an icon. */
export function Lines({ lines }: { readonly lines: readonly Line[] }): ReactElement {
  return (
    <ul className="grid gap-2 wrap-anywhere">
      {lines.map(({ key, icon: Icon, tone = 'text-faint', text }) => (
        <li key={key} className="flex items-start gap-2 text-pretty text-muted">
          <Icon className={clsx('icon', tone)} aria-hidden />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}
