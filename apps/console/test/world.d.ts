import { type DeviceRecord, type DeviceState, type RouteOutput, type TaskRecord, type listOperationLog, type listTaskDevices, type TaskTarget } from '@carillon/contracts';
type TaskDevice = RouteOutput<typeof listTaskDevices>['records'][number];
type Entry = RouteOutput<typeof listOperationLog>['records'][number];
interface Query {
    search?: string;
    page?: number;
    limit?: number;
    current?: number;
    size?: number;
    sort?: string;
    state?: string[];
    model?: string[];
    firmware?: string[];
    status?: string[];
    action?: string[];
    result?: string[];
}
/** Devices, tasks and a log in memory, with the reboot going through its states. */
export declare class World {
    company: string;
    user: string;
    organizations: {
        id: string;
        name: string;
    }[];
    devices: DeviceRecord[];
    tasks: (TaskRecord & {
        devices: TaskDevice[];
    })[];
    log: Entry[];
    onChange: (kind: string, ids: string[]) => void;
    rebootMs: number;
    private timers;
    constructor(total: number, rebootMs: number);
    private past;
    record(action: string, objectName: string | null, result?: string, at?: number): void;
    page<T>(all: T[], query: Query): {
        records: T[];
        total: number;
        current: number;
        size: number;
    };
    private sorted;
    devicesMatching(q: Query): {
        id: string;
        orgId: string;
        mac: string;
        name: string;
        model: string;
        sn: string;
        firmware: string | null;
        hardware: string | null;
        state: "abnormal" | "notConfigured" | "offline" | "online";
        internalIp: string | null;
        publicIp: string | null;
        lte: string | null;
        dnd: "off" | "on" | "unsupported" | null;
        certificate: boolean | null;
        lines: {
            line: number;
            account?: string | undefined;
            server?: string | undefined;
            status: "abnormal" | "calling" | "failed" | "registered" | "unassigned" | "unregistered";
        }[];
        calls: number;
        capabilities: string[];
        configVersion: string | null;
        lastOnlineAt: string | null;
        lastConfigAt: string | null;
        createdAt: string;
    }[];
    counts(q: Query): {
        total: number;
        state: Record<string, number>;
        models: {
            model: string;
            count: number;
        }[];
        firmwares: {
            firmware: string;
            count: number;
        }[];
    };
    device(id: string): {
        id: string;
        orgId: string;
        mac: string;
        name: string;
        model: string;
        sn: string;
        firmware: string | null;
        hardware: string | null;
        state: "abnormal" | "notConfigured" | "offline" | "online";
        internalIp: string | null;
        publicIp: string | null;
        lte: string | null;
        dnd: "off" | "on" | "unsupported" | null;
        certificate: boolean | null;
        lines: {
            line: number;
            account?: string | undefined;
            server?: string | undefined;
            status: "abnormal" | "calling" | "failed" | "registered" | "unassigned" | "unregistered";
        }[];
        calls: number;
        capabilities: string[];
        configVersion: string | null;
        lastOnlineAt: string | null;
        lastConfigAt: string | null;
        createdAt: string;
    } | undefined;
    add(body: {
        mac: string;
        name: string;
        model: string;
        sn: string;
    }): {
        id: string;
        orgId: string;
        mac: string;
        name: string;
        model: string;
        sn: string;
        firmware: string | null;
        hardware: string | null;
        state: "abnormal" | "notConfigured" | "offline" | "online";
        internalIp: string | null;
        publicIp: string | null;
        lte: string | null;
        dnd: "off" | "on" | "unsupported" | null;
        certificate: boolean | null;
        lines: {
            line: number;
            account?: string | undefined;
            server?: string | undefined;
            status: "abnormal" | "calling" | "failed" | "registered" | "unassigned" | "unregistered";
        }[];
        calls: number;
        capabilities: string[];
        configVersion: string | null;
        lastOnlineAt: string | null;
        lastConfigAt: string | null;
        createdAt: string;
    };
    change(id: string, state: DeviceState): void;
    private later;
    stop(): void;
    addTask(body: {
        name: string;
        action: string;
        params: Record<string, unknown>;
        target: TaskTarget;
    }): TaskRecord;
    private tell;
    private recount;
    endTask(id: string, how: 'stop' | 'cancel'): TaskRecord;
    task(id: string): TaskRecord | undefined;
    tasksMatching(q: Query): ({
        id: string;
        number: number;
        name: string;
        action: string;
        type: "cycle" | "now" | "timer";
        status: "cancel" | "downloadSuccess" | "fail" | "finished" | "operated" | "process" | "stop" | "success" | "timeout" | "wait";
        params: Record<string, unknown>;
        counts: {
            total: number;
            success: number;
            fail: number;
            timeout: number;
            cancel: number;
            process: number;
            wait: number;
        };
        creatorId: string;
        creatorName: string;
        createdAt: string;
        startedAt: string | null;
        endedAt: string | null;
        expanded: boolean;
    } & {
        devices: TaskDevice[];
    })[];
    taskDevices(id: string, q: Query): {
        deviceId: string;
        mac: string;
        name: string;
        model: string;
        status: "cancel" | "downloadSuccess" | "fail" | "finished" | "operated" | "process" | "stop" | "success" | "timeout" | "wait";
        progress: number | null;
        code: string | null;
        message: string | null;
        online: boolean;
        sentAt: string | null;
        updatedAt: string;
        durationMs: number | null;
    }[];
    tasksOf(id: string): {
        id: string;
        number: number;
        name: string;
        action: string;
        type: "cycle" | "now" | "timer";
        status: "cancel" | "downloadSuccess" | "fail" | "finished" | "operated" | "process" | "stop" | "success" | "timeout" | "wait";
        params: Record<string, unknown>;
        counts: {
            total: number;
            success: number;
            fail: number;
            timeout: number;
            cancel: number;
            process: number;
            wait: number;
        };
        creatorId: string;
        creatorName: string;
        createdAt: string;
        startedAt: string | null;
        endedAt: string | null;
        expanded: boolean;
        devices: TaskDevice[];
        device: {
            deviceId: string;
            mac: string;
            name: string;
            model: string;
            status: "cancel" | "downloadSuccess" | "fail" | "finished" | "operated" | "process" | "stop" | "success" | "timeout" | "wait";
            progress: number | null;
            code: string | null;
            message: string | null;
            online: boolean;
            sentAt: string | null;
            updatedAt: string;
            durationMs: number | null;
        };
    }[];
    logMatching(q: Query): {
        id: string;
        at: string;
        userId: string | null;
        username: string;
        action: string;
        objectId: string | null;
        objectName: string | null;
        address: string | null;
        result: string;
        requestId: string | null;
        detail: Record<string, unknown>;
    }[];
}
export {};
