import type { Meaning } from './metric.ts';

/** All our metrics. docs/metrics.md says when each one needs attention. */
export const meanings = {
  http: {
    name: 'carillon_http_seconds',
    help: 'Time from a call to its answer, by service, route and status.',
    labels: ['service', 'method', 'route', 'status'],
  },
  messages: {
    name: 'carillon_message_batch_seconds',
    help: 'Time that a batch of messages of a topic took, by service and outcome.',
    labels: ['service', 'topic', 'outcome'],
  },
  handled: {
    name: 'carillon_messages_total',
    help: 'Messages handled, by service and topic.',
    labels: ['service', 'topic'],
  },
  deadLetters: {
    name: 'carillon_dead_letters_total',
    help: 'Messages that could not be handled and were put aside, by service and topic.',
    labels: ['service', 'topic'],
  },
  lag: {
    name: 'carillon_bus_lag',
    help: 'Messages stored on the bus that this group has not handled yet, by topic.',
    labels: ['group', 'topic'],
  },
  outboxWaiting: {
    name: 'carillon_outbox_waiting',
    help: "Messages in a service's outbox that the bus has not stored yet.",
    labels: ['service'],
  },
  outboxAge: {
    name: 'carillon_outbox_age_seconds',
    help: "Age of the oldest message in a service's outbox; 0 when it is empty.",
    labels: ['service'],
  },
  database: {
    name: 'carillon_database_connections',
    help: 'Connections of this process to its database, by state; `waiting` are those that want one.',
    labels: ['service', 'state'],
  },
  ready: {
    name: 'carillon_ready',
    help: '1 when a part of this process is well, 0 when it is not, as /readyz says in words.',
    labels: ['service', 'check'],
  },
  inFlight: {
    name: 'carillon_commands_in_flight',
    help: 'Devices of tasks that were told and have not answered finally.',
    labels: ['service'],
  },
  connections: {
    name: 'carillon_mqtt_connections',
    help: 'Connections of this MQTT gateway: devices, and sockets that have not said who they are.',
    labels: ['kind'],
  },
  uplink: {
    name: 'carillon_mqtt_uplink',
    help: 'Messages of devices that wait to be stored on the bus, and their bytes.',
    labels: ['unit'],
  },
  disk: {
    name: 'carillon_disk_bytes',
    help: 'Disks of the bus: what is free, all, and the reserve below which messages of devices are not acknowledged.',
    labels: ['disk', 'kind'],
  },
  phonesRefused: {
    name: 'carillon_phone_refused_total',
    help: 'Requests for configurations that were refused, by reason: forged tokens, too many of a device, foreign files, first accesses, strangers, busy.',
    labels: ['reason'],
  },
  gateway: {
    name: 'carillon_mqtt_events_total',
    help: 'What this MQTT gateway did since its start: accepted, received, written, refused, dropped, ended.',
    labels: ['event', 'reason'],
  },
} as const satisfies Record<string, Meaning>;
