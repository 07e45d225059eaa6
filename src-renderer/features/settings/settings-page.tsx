import './settings.css'

import {
  AppWindow,
  Braces,
  Download,
  FileText,
  Globe,
  Library,
  type LucideIcon,
  Server,
  Settings2,
} from 'lucide-react'
import { Fragment, type ReactElement, type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'

import type { AppState } from '../../../src-shared/domain/state/app-state'
import {
  SETTING_SECTIONS,
  type SettingSectionId,
  settingsPath,
} from '../../components/settings/setting-sections'
import {
  openCollectorHost,
  type SettingEntry,
  SETTINGS,
} from '../../components/settings/settings-table'
import { call } from '../../ipc/call'
import { attempt } from '../../ipc/show-failure'
import { useAction } from '../../ipc/use-request'
import { useApp } from '../../stores/app-store'
import { Button, ButtonLink } from '../../ui/controls/button'
import { SearchField } from '../../ui/controls/search-field'
import { WarnText } from '../../ui/fields/field'
import { Page, ScrollRegion, Skeleton } from '../../ui/layout/page'
import { Facts } from '../../ui/layout/section'
import { copyText } from '../../ui/saving/copy-text'
import { fileName, saveText } from '../../ui/saving/save-text'
import { wordsSearch } from '../../ui/text/words-search'
import { AppUpdate, DiagnosticsDialog, LogUsage } from './maintenance'
import { NetworkBlock } from './network/network-section'
import { RegistryBlock } from './registries/registry-section'
import { RunnerBlock } from './runners/runner-section'
import { SecretBlock } from './secrets/secret-section'
import { SettingRow, SettingsBlock } from './setting-row'

const ICONS: Readonly<Record<SettingSectionId, LucideIcon>> = {
  general: Settings2,
  servers: Server,
  apps: AppWindow,
  catalog: Library,
  network: Globe,
  advanced: Braces,
}

const SECRETS: Readonly<Record<AppState['secretStore']['kind'], string>> = {
  checking: 'Checking the keychain.',
  keychain: 'In your keychain. The settings file contains only references.',
  file: 'In an encrypted file of the profile.',
  locked: 'In an encrypted file that is locked.',
  memory: 'In memory until you quit.',
}

function FileLocations({ app: { info, secretStore } }: { readonly app: AppState }): ReactElement {
  const [, navigate] = useLocation()
  const isAsked = new URLSearchParams(useSearch()).get('at') === 'diagnostics'
  const wayIn = info.wayIn === 'desktop' ? 'desktop app' : 'in the browser'
  return (
    <SettingsBlock
      title="Storage and version"
      aside={
        <ButtonLink size="small" href={settingsPath('diagnostics')}>
          Copy diagnostics
        </ButtonLink>
      }
    >
      {isAsked && (
        <DiagnosticsDialog onClose={() => navigate(settingsPath('general'), { replace: true })} />
      )}
      <Facts
        facts={{
          Profile: <code>{info.profileDir}</code>,
          Secrets: SECRETS[secretStore.kind],
          Version: `Patchbay ${info.version}, ${wayIn}`,
        }}
      />
    </SettingsBlock>
  )
}

/** Shows the settings file in the file manager; the browser version copies its path. */
async function openSettingsFile(): Promise<void> {
  const { path, isShown } = await call('settings.showFile', {})
  if (!isShown) copyText(path, `Path of settings.json copied: ${path}`)
}

function SettingsFile(): ReactElement {
  return (
    <SettingsBlock
      title="All settings"
      aside={
        <Button size="small" icon={FileText} onClick={() => void attempt(openSettingsFile())}>
          Open settings.json
        </Button>
      }
    >
      <p className="text-pretty text-muted">
        Every setting is in one file, with your servers. Quit Patchbay before you edit it.
      </p>
    </SettingsBlock>
  )
}

function Removal(): ReactElement {
  return (
    <SettingsBlock
      title="Remove Patchbay"
      aside={
        <ButtonLink size="small" href="/settings/remove-everything" variant="danger">
          Remove everything…
        </ButtonLink>
      }
    >
      <p className="text-pretty text-muted">
        Removes what Patchbay added to this computer: app config entries, secrets, and files. You
        review the list first.
      </p>
    </SettingsBlock>
  )
}

function Rows(props: {
  readonly entries: readonly SettingEntry[]
  /** Whether to omit the headings. */
  readonly isFlat?: boolean
  readonly app: AppState
}): ReactElement {
  const { entries, isFlat = false, app } = props
  const { settings } = app
  const host = openCollectorHost(settings.otlpEndpoint)
  const unencrypted =
    host === null
      ? undefined
      : `The connection to ${host} is not encrypted. Use https:// if the collector supports it.`
  const row = (of: SettingEntry): ReactElement => (
    <SettingRow
      key={of.key}
      of={of}
      settings={settings}
      below={of.key === 'otlpEndpoint' && <WarnText>{unencrypted}</WarnText>}
    />
  )
  return (
    <>
      {[...Map.groupBy(entries, ({ group }) => (isFlat ? undefined : group))].map(([group, some]) =>
        group === undefined ? (
          <div key="" className="flex flex-col">
            {some.map(row)}
          </div>
        ) : (
          <SettingsBlock
            key={group}
            title={group}
            aside={group === 'Metrics' ? <ExportMetrics /> : undefined}
          >
            <div className="flex flex-col">{some.map(row)}</div>
          </SettingsBlock>
        ),
      )}
    </>
  )
}

/** Blocks below the settings of one line: section, title, and search words. */
const BLOCKS: readonly {
  readonly section: SettingSectionId
  readonly title: string
  readonly keywords: string
  /** `runner` is the one whose input gets the focus. */
  readonly draw: (app: AppState, runner: string | undefined) => ReactNode
}[] = [
  {
    ...{ section: 'general', title: 'Updates', keywords: 'version download restart' },
    draw: ({ appUpdate }) => appUpdate && <AppUpdate update={appUpdate} />,
  },
  {
    ...{ section: 'general', title: 'Storage and version' },
    keywords: 'profile folder about diagnostics report',
    draw: (app) => <FileLocations app={app} />,
  },
  {
    ...{ section: 'servers', title: 'Secrets', keywords: 'keychain keys passphrase shared' },
    draw: (app) => <SecretBlock app={app} />,
  },
  {
    ...{ section: 'servers', title: 'Runtimes', keywords: 'npx uvx docker dnx node python path' },
    draw: (app, runner) => <RunnerBlock app={app} focused={runner} />,
  },
  {
    ...{ section: 'servers', title: 'Log files', keywords: 'disk usage delete' },
    draw: ({ settings }) => <LogUsage limits={`${settings.logFileMb} ${settings.logDays}`} />,
  },
  {
    ...{ section: 'catalog', title: 'Other registries', keywords: 'add registry token company' },
    draw: (app) => <RegistryBlock app={app} />,
  },
  {
    ...{
      section: 'network',
      title: 'Proxy and certificates',
      keywords: 'bypass password tls ca pem',
    },
    draw: (app) => <NetworkBlock app={app} />,
  },
  {
    ...{ section: 'advanced', title: 'All settings', keywords: 'settings.json file' },
    draw: () => <SettingsFile />,
  },
  {
    ...{ section: 'advanced', title: 'Remove Patchbay', keywords: 'uninstall remove everything' },
    draw: () => <Removal />,
  },
]

function FoundSettings(props: {
  readonly entries: readonly SettingEntry[]
  readonly search: string
  readonly app: AppState
  readonly onLeave: () => void
}): ReactElement {
  const { entries, search, app, onLeave } = props
  const titleOf = (id: SettingSectionId): string =>
    SETTING_SECTIONS.find((one) => one.id === id)?.title ?? ''
  const isFound = wordsSearch(search)
  const matching = entries.filter(({ label, description, group = '', section }) =>
    isFound(label, description, group, titleOf(section)),
  )
  const blocks = BLOCKS.filter(({ title, keywords }) => isFound(title, keywords))
  return (
    <>
      <h2 className="text-page">
        <span role="status">
          {matching.length + blocks.length === 0
            ? `No setting matches “${search}”`
            : 'Search results'}
        </span>
      </h2>
      <Rows entries={matching} isFlat app={app} />
      {blocks.map(({ section, title }) => (
        <Link
          key={title}
          href={settingsPath(section)}
          className="setting border-b border-line font-medium"
          onClick={onLeave}
        >
          {title}
          <span className="text-small font-normal text-muted">{titleOf(section)}</span>
        </Link>
      ))}
    </>
  )
}

const SECTION_HEAD = 'settings-section'

/** Scrolls to and focuses the place in the address: a setting by its key, or a section. */
function useFocusedSetting(at: string | null): void {
  useEffect(() => {
    // The focus stays if the user returned or used the list of sections.
    if (at === null || document.activeElement?.closest('#settings')) return
    const target = document.getElementById(at) ?? document.getElementById(SECTION_HEAD)
    target?.scrollIntoView({ block: 'nearest' })
    target?.focus({ preventScroll: true })
  }, [at])
}

/** The app's settings in six sections; every change is saved immediately. */
export function SettingsPage(): ReactElement {
  const app = useApp((state) => state.app)
  const params = new URLSearchParams(useSearch())
  const [search, setSearch] = useState('')
  const runner = params.get('runner') ?? undefined
  const at = runner === undefined ? (params.get('at') ?? 'general') : 'servers'
  const named = SETTINGS.find(({ key }) => key === at)
  const section =
    SETTING_SECTIONS.find(({ id }) => id === (named?.section ?? at)) ?? SETTING_SECTIONS[0]
  useFocusedSetting(runner === undefined ? params.get('at') : null)
  if (app === null)
    return (
      <Page title="Settings">
        <Skeleton label="Loading settings" />
      </Page>
    )
  const entries = SETTINGS.filter(
    ({ isDesktop, key }) =>
      (isDesktop !== true || app.info.wayIn === 'desktop') &&
      (key !== 'checksForUpdates' || app.appUpdate !== undefined),
  )
  const query = search.trim()
  const sectionEntries = entries.filter(
    (one) => one.section === section.id && one.key !== 'proxyMode',
  )
  return (
    <Page title="Settings" layout="columns">
      <div className="settings min-h-0 flex-1" id="settings">
        <div className="settings-side flex flex-col gap-3 border-e border-line px-3 py-4">
          <SearchField
            value={search}
            onChange={setSearch}
            label="Search settings"
            placeholder="Search settings"
          />
          <nav className="flex flex-col gap-px" aria-label="Sections">
            {SETTING_SECTIONS.map(({ id, title }) => {
              const Icon = ICONS[id]
              return (
                <Link
                  key={id}
                  href={settingsPath(id)}
                  className="pick relative flex items-center gap-2 font-medium text-muted hover:bg-hover"
                  aria-current={query === '' && id === section.id ? 'true' : undefined}
                  onClick={() => setSearch('')}
                >
                  <Icon className="icon" aria-hidden />
                  <span className="truncate">{title}</span>
                </Link>
              )
            })}
          </nav>
        </div>
        <ScrollRegion
          key={query === '' ? section.id : ''}
          className="page-body min-h-0 px-6 pt-5 pb-8"
          data-page-body
          label={query === '' ? section.title : 'Search results'}
        >
          <div className="mx-auto flex max-w-176 flex-col gap-6">
            {query === '' ? (
              <>
                <h2 id={SECTION_HEAD} className="text-page" tabIndex={-1}>
                  {section.title}
                </h2>
                {sectionEntries.length > 0 && <Rows entries={sectionEntries} app={app} />}
                {BLOCKS.filter((one) => one.section === section.id).map(({ title, draw }) => (
                  <Fragment key={title}>{draw(app, runner)}</Fragment>
                ))}
              </>
            ) : (
              <FoundSettings
                entries={entries}
                search={query}
                app={app}
                onLeave={() => setSearch('')}
              />
            )}
          </div>
        </ScrollRegion>
      </div>
    </Page>
  )
}

async function exportMetrics(): Promise<void> {
  const text = await call('metrics.export', {})
  saveText(fileName('Patchbay metrics', Date.now(), 'json'), text)
}

function ExportMetrics(): ReactElement {
  const { isBusy, run } = useAction(() => attempt(exportMetrics()))
  return (
    <Button size="small" icon={Download} busy={isBusy} onClick={() => run()}>
      Export metrics
    </Button>
  )
}
