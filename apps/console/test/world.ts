import { randomUUID } from 'node:crypto';
import { toPage, type DeviceRecord, type DeviceState, type RouteOutput, type TaskRecord, type TaskStatus, type listOperationLog, type listTaskDevices, type TaskTarget } from '@carillon/contracts';

type TaskDevice = RouteOutput<typeof listTaskDevices>['records'][number];
type Entry = RouteOutput<typeof listOperationLog>['records'][number];
interface Query { search?: string; page?: number; limit?: number; current?: number; size?: number; sort?: string; state?: string[]; model?: string[]; firmware?: string[]; status?: string[]; action?: string[]; result?: string[] }

const places = ['Reception desk', 'Gate north, door panel', 'Concierge', 'Front office', 'Room service', 'Kitchen hotline', 'Spa reception', 'Housekeeping, floor', 'Boardroom Elbe', 'Back office', 'Night audit', 'Duty manager', 'Loading dock door', 'Bellboy desk', 'Banquet sales', 'Lobby video phone', 'Car park intercom', 'Reservations'];
const models = ['Fanvil X7A', 'Fanvil i64', 'Fanvil X6U-V2', 'Fanvil X4U', 'Yealink SIP-T57W', 'Yealink W70B', 'Yealink CP925', 'Grandstream GRP2615', 'Grandstream GXV3480'];
const firmwares = ['2.12.4.8', '2.8.1.40', '2.12.16.17', '2.12.2.0', '96.86.0.110', '146.85.0.20', '148.86.0.5', '1.0.9.135', '1.0.3.27'];
/** The same numbers each time: a picture differs only where the console does. */
function numbers(seed: number) { let s = seed; return () => { s = (s * 1_664_525 + 1_013_904_223) >>> 0; return s / 2 ** 32; }; }
const uuid = (n: number) => `018f0000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const start = Date.parse('2026-11-21T08:41:50Z');

/** Devices, tasks and a log in memory, with the reboot going through its states. */
export class World {
  company = uuid(1);
  user = uuid(2);
  organizations = [{ id: uuid(3), name: 'Meridian Hotels' }, { id: uuid(4), name: 'Meridian Conference' }];
  devices: DeviceRecord[] = [];
  tasks: (TaskRecord & { devices: TaskDevice[] })[] = [];
  log: Entry[] = [];
  onChange: (kind: string, ids: string[]) => void = () => {};
  rebootMs: number;
  private timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(total: number, rebootMs: number) {
    this.rebootMs = rebootMs;
    const random = numbers(7);
    for (let i = 0; i < total; i++) {
      const m = Math.floor(random() ** 1.7 * models.length);
      const roll = random();
      const state: DeviceState = roll < 0.03 ? 'abnormal' : roll < 0.1 ? 'offline' : roll < 0.13 ? 'notConfigured' : 'online';
      const lines = state === 'notConfigured' ? 0 : 1 + Math.floor(random() * 4);
      this.devices.push({
        id: uuid(1000 + i), orgId: this.organizations[0]!.id, mac: (0x0c383e000000 + Math.floor(random() * 0xffffff)).toString(16).padStart(12, '0'), name: `${places[i % places.length]!} ${Math.floor(i / places.length) + 1}`,
        model: models[m]!, sn: `NX7A21400${37_000 + i}`, firmware: firmwares[m]!, hardware: '1.2', state, internalIp: `10.20.${Math.floor(i / 250)}.${(i % 250) + 2}`, publicIp: '203.0.113.84', lte: i % 9 === 0 ? 'EC25-E' : null,
        dnd: 'off', certificate: true, lines: Array.from({ length: lines }, (_, l) => ({ line: l + 1, account: String(2001 + i * 4 + l), server: 'sip-berlin.meridian.example', status: state === 'offline' ? 'unregistered' as const : state === 'abnormal' && l === lines - 1 ? 'failed' as const : 'registered' as const })),
        calls: 0, capabilities: ['reboot'], configVersion: null, lastOnlineAt: new Date(start - Math.floor(random() * (state === 'offline' ? 8e7 : 6e4))).toISOString(), lastConfigAt: new Date(start - 3e8).toISOString(), createdAt: new Date(start - 9e9 + i * 60_000).toISOString(),
      });
    }
    this.past('Reboot 212 devices', 212, { success: 195, fail: 9, timeout: 5, cancel: 3 }, 'finished', 86_400_000);
    this.past('Reboot Front office 2', 1, { success: 1 }, 'success', 40_000_000);
    for (const [i, action] of ['session.login', 'task.add', 'device.add', 'device.renewSecret', 'task.stop'].entries()) this.record(action, action.startsWith('session') ? null : 'Reception desk 1', i === 3 ? 'common.forbidden' : 'success', start - i * 3_600_000);
  }

  private past(name: string, total: number, counts: Partial<TaskRecord['counts']>, status: TaskStatus, agoMs: number) {
    const outcomes = (['success', 'fail', 'timeout', 'cancel'] as const).flatMap((s) => Array.from({ length: counts[s] ?? 0 }, () => s));
    const reasons: Record<string, string | null> = { success: null, fail: 'The device is in a call that does not end', timeout: 'No answer within 5 minutes', cancel: null };
    this.tasks.unshift({
      id: uuid(500 + this.tasks.length), number: 4819 + this.tasks.length, name, action: 'reboot', type: 'now', status, params: { whenIdle: true }, counts: { total, success: 0, fail: 0, timeout: 0, cancel: 0, process: 0, wait: 0, ...counts },
      creatorId: this.user, creatorName: 'Jana Vogt', createdAt: new Date(start - agoMs).toISOString(), startedAt: new Date(start - agoMs).toISOString(), endedAt: new Date(start - agoMs + 312_000).toISOString(), expanded: true,
      devices: outcomes.map((s, i) => { const d = this.devices[i]!; return { deviceId: d.id, mac: d.mac, name: d.name, model: d.model, status: s, progress: null, code: null, message: reasons[s]!, online: true, sentAt: new Date(start - agoMs).toISOString(), updatedAt: new Date(start - agoMs + 60_000).toISOString(), durationMs: s === 'cancel' ? null : 62_000 + i * 310 }; }),
    });
  }

  record(action: string, objectName: string | null, result = 'success', at = Date.now()) {
    this.log.unshift({ id: randomUUID(), at: new Date(at).toISOString(), userId: this.user, username: 'jana.vogt', action, objectId: null, objectName, address: '203.0.113.84', result, requestId: `7f3a-${(this.log.length + 4096).toString(16)}`, detail: {} });
    this.onChange('operationLog', []);
  }

  page<T>(all: T[], query: Query) {
    const { page, limit } = toPage(query);
    return { records: all.slice((page - 1) * limit, page * limit), total: all.length, current: page, size: limit };
  }
  private sorted<T>(all: T[], sort: string | undefined): T[] {
    if (!sort) return all;
    const key = sort.replace(/^-/, '') as keyof T;
    return all.toSorted((a, b) => (sort.startsWith('-') ? -1 : 1) * String(a[key] ?? '').localeCompare(String(b[key] ?? ''), 'en', { numeric: true }));
  }
  devicesMatching(q: Query) {
    const text = q.search?.toLowerCase();
    return this.sorted(this.devices.filter((d) => (!text || `${d.name}\n${d.mac}\n${d.sn}\n${d.internalIp}`.toLowerCase().includes(text) || d.mac.includes(text.replace(/[:-]/g, ''))) && (q.state?.includes(d.state) ?? true) && (q.model?.includes(d.model) ?? true) && (q.firmware?.includes(d.firmware ?? '') ?? true)), q.sort);
  }
  counts(q: Query) {
    const all = this.devicesMatching(q);
    const by = (key: 'state' | 'model' | 'firmware') => all.reduce<Record<string, number>>((n, d) => { const k = d[key] ?? ''; n[k] = (n[k] ?? 0) + 1; return n; }, {});
    return { total: all.length, state: by('state'), models: Object.entries(by('model')).map(([model, count]) => ({ model, count })), firmwares: Object.entries(by('firmware')).map(([firmware, count]) => ({ firmware, count })) };
  }
  device(id: string) { return this.devices.find((d) => d.id === id || d.mac === id.replace(/[:-]/g, '').toLowerCase()); }
  add(body: { mac: string; name: string; model: string; sn: string }) {
    const device: DeviceRecord = { ...this.devices[0]!, ...body, id: randomUUID(), state: 'notConfigured', lines: [], firmware: null, hardware: null, internalIp: null, publicIp: null, lastOnlineAt: null, lastConfigAt: null, dnd: null, certificate: null, createdAt: new Date().toISOString() };
    this.devices.unshift(device);
    this.record('device.add', body.name);
    this.onChange('device', [device.id]);
    return device;
  }
  change(id: string, state: DeviceState) {
    const i = this.devices.findIndex((d) => d.id === id);
    this.devices[i] = { ...this.devices[i]!, state, lastOnlineAt: new Date().toISOString() };
  }

  private later(ms: number, then: () => void) { const t = setTimeout(() => { this.timers.delete(t); then(); }, ms); this.timers.add(t); }
  stop() { this.timers.forEach(clearTimeout); }

  addTask(body: { name: string; action: string; params: Record<string, unknown>; target: TaskTarget }): TaskRecord {
    const target = body.target;
    const chosen = 'ids' in target ? this.devices.filter((d) => target.ids.includes(d.id)) : this.devicesMatching(target.filter as Query).filter((d) => !target.exclude?.includes(d.id));
    const now = new Date().toISOString();
    const task = {
      id: randomUUID(), number: 4821 + this.tasks.length, name: body.name, action: body.action, type: 'now' as const, status: 'process' as TaskStatus, params: body.params, counts: { total: chosen.length, success: 0, fail: 0, timeout: 0, cancel: 0, process: 0, wait: chosen.length },
      creatorId: this.user, creatorName: 'Jana Vogt', createdAt: now, startedAt: now, endedAt: null as string | null, expanded: true,
      devices: chosen.map((d): TaskDevice => ({ deviceId: d.id, mac: d.mac, name: d.name, model: d.model, status: 'wait', progress: null, code: null, message: null, online: d.state !== 'offline', sentAt: null, updatedAt: now, durationMs: null })),
    };
    this.tasks.unshift(task);
    this.record('task.add', body.name);
    const steps = Math.max(1, Math.ceil(this.rebootMs / 100));
    const size = Math.max(1, Math.ceil(chosen.length / steps));
    const begin = (from: number) => {
      if (task.endedAt !== null) return;
      const part = task.devices.slice(from, from + size).filter((d) => d.online);
      for (const d of part) { d.status = 'process'; d.sentAt = new Date().toISOString(); this.change(d.deviceId, 'offline'); }
      this.tell(task, part);
      this.later(this.rebootMs / 3, () => {
        for (const d of part) { if (d.status !== 'process') continue; d.status = 'success'; d.durationMs = this.rebootMs; d.updatedAt = new Date().toISOString(); this.change(d.deviceId, 'online'); }
        this.tell(task, part);
      });
      if (from + size < task.devices.length) this.later(100, () => begin(from + size));
    };
    this.later(50, () => begin(0));
    this.recount(task);
    return task;
  }
  private tell(task: World['tasks'][number], part: TaskDevice[]) {
    this.recount(task);
    this.onChange('device', part.map((d) => d.deviceId));
    this.onChange('task', [task.id]);
    this.onChange('taskDevice', [task.id]);
  }
  private recount(task: World['tasks'][number]) {
    const n = (...s: string[]) => task.devices.filter((d) => s.includes(d.status)).length;
    task.counts = { total: task.devices.length, success: n('success'), fail: n('fail'), timeout: n('timeout'), cancel: n('cancel', 'stop'), process: n('process'), wait: n('wait') };
    if (task.endedAt === null && task.counts.wait + task.counts.process === 0) { task.status = 'finished'; task.endedAt = new Date().toISOString(); }
  }
  endTask(id: string, how: 'stop' | 'cancel'): TaskRecord {
    const task = this.tasks.find((t) => t.id === id)!;
    for (const d of task.devices) if (d.status === 'wait') d.status = 'cancel';
    task.status = how;
    this.recount(task);
    task.endedAt = new Date().toISOString();
    task.status = how;
    this.record(`task.${how}`, task.name);
    this.tell(task, []);
    return task;
  }
  task(id: string): TaskRecord | undefined { return this.tasks.find((t) => t.id === id); }
  tasksMatching(q: Query) { return this.sorted(this.tasks.filter((t) => (q.status?.includes(t.status) ?? true) && (q.action?.includes(t.action) ?? true) && (!q.search || t.name.toLowerCase().includes(q.search.toLowerCase()))), q.sort); }
  taskDevices(id: string, q: Query) { return (this.tasks.find((t) => t.id === id)?.devices ?? []).filter((d) => (q.status?.includes(d.status) ?? true) && (!q.search || `${d.name} ${d.mac}`.toLowerCase().includes(q.search.toLowerCase()))); }
  tasksOf(id: string) { return this.tasks.flatMap((t) => t.devices.filter((d) => d.deviceId === id).map((device) => ({ ...t, device }))); }
  logMatching(q: Query) { return this.log.filter((e) => (q.action?.includes(e.action) ?? true) && (q.result?.includes(e.result) ?? true) && (!q.search || `${e.username} ${e.objectName}`.toLowerCase().includes(q.search.toLowerCase()))); }
}
