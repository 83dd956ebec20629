{{- define "carillon.name" -}}
{{- if contains "carillon" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-carillon" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "carillon.labels" -}}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: carillon
{{- end }}

{{- /* root, part */}}
{{- define "carillon.selector" -}}
app.kubernetes.io/name: carillon
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "carillon.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ with .Values.image.digest }}@{{ . }}{{ end }}
{{- end }}

{{- define "carillon.secretEnv" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ .root.Values.existingSecret }}, key: {{ .key | default .name }}{{ if .optional }}, optional: true{{ end }} } }
{{- end }}

{{- define "carillon.busEnv" -}}
- { name: CARILLON_BUS, value: {{ .Values.bus }} }
{{- if eq .Values.bus "kafka" }}
- { name: CARILLON_KAFKA_BROKERS, value: {{ join "," .Values.kafka.brokers | quote }} }
{{- if .Values.kafka.tls }}
- { name: CARILLON_KAFKA_CA, value: {{ ternary "/etc/carillon/kafka/ca.crt" "system" (ne .Values.kafka.caSecret "") }} }
{{- end }}
{{- end }}
- { name: CARILLON_LOG_LEVEL, value: {{ .Values.logLevel }} }
{{- end }}

{{- define "carillon.kafkaMount" -}}
{{- if and .Values.kafka.tls .Values.kafka.caSecret }}
- { name: kafka-ca, mountPath: /etc/carillon/kafka, readOnly: true }
{{- end }}
{{- end }}

{{- define "carillon.kafkaVolume" -}}
{{- if and .Values.kafka.tls .Values.kafka.caSecret }}
- { name: kafka-ca, secret: { secretName: {{ .Values.kafka.caSecret }} } }
{{- end }}
{{- end }}

{{- /* What every process is told. root, part */}}
{{- define "carillon.commonEnv" -}}
{{- $root := .root -}}
# The pod's name: unique, and unchanged when the container restarts.
- name: CARILLON_NAME
  valueFrom: { fieldRef: { fieldPath: metadata.name } }
{{ include "carillon.secretEnv" (dict "root" $root "name" "CARILLON_CONTEXT_KEY") }}
{{ include "carillon.busEnv" $root }}
- name: REDIS_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ $root.Values.existingSecret }}, key: CARILLON_REDIS_PASSWORD } }
- { name: CARILLON_REDIS_URL, value: {{ printf "%s://%s:$(REDIS_PASSWORD)@%s:%d" (ternary "rediss" "redis" $root.Values.redis.tls) $root.Values.redis.username $root.Values.redis.host (int $root.Values.redis.port) | quote }} }
{{- if or .database (eq $root.Values.bus "postgres") }}
- { name: CARILLON_DATABASE_HOST, value: {{ $root.Values.database.host | quote }} }
- { name: CARILLON_DATABASE_PORT, value: {{ $root.Values.database.port | quote }} }
{{- end }}
{{- if and (eq $root.Values.bus "kafka") $root.Values.kafka.login }}
{{ include "carillon.secretEnv" (dict "root" $root "name" "CARILLON_KAFKA_PASSWORD" "key" (printf "CARILLON_%s_KAFKA_PASSWORD" (.part | upper | replace "-" "_"))) }}
{{- end }}
{{- if eq $root.Values.bus "postgres" }}
{{ include "carillon.secretEnv" (dict "root" $root "name" "CARILLON_BUS_PASSWORD" "key" "CARILLON_BUS_DATABASE_PASSWORD") }}
{{- end }}
{{- with $root.Values.otlpUrl }}
- { name: CARILLON_OTLP_URL, value: {{ . | quote }} }
{{- end }}
{{- end }}

{{- define "carillon.clientEnv" -}}
{{- $root := . -}}
{{- range $i, $name := list "CARILLON_TOKEN_KEY" "CARILLON_CLIENT_ID" "CARILLON_CLIENT_SECRET" }}
{{ include "carillon.secretEnv" (dict "root" $root "name" $name) }}
{{- end }}
{{- end }}

{{- define "carillon.moreEnv" -}}
{{- range $name, $value := . }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- define "carillon.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "carillon.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- /* A Deployment with its budget. root, part, values, env (text), ports (text), mounts and volumes (text) */}}
{{- define "carillon.process" -}}
{{- $root := .root -}}
{{- $name := printf "%s-%s" (include "carillon.name" $root) .part -}}
{{- $scaled := dig "autoscaling" "enabled" false .values -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels:
    {{- include "carillon.selector" . | nindent 4 }}
    {{- include "carillon.labels" $root | nindent 4 }}
spec:
  {{- if not $scaled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  # A new pod is ready before an old one ends.
  strategy: { type: RollingUpdate, rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }
  minReadySeconds: 3
  revisionHistoryLimit: 5
  selector:
    matchLabels:
      {{- include "carillon.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "carillon.selector" . | nindent 8 }}
        {{- include "carillon.labels" $root | nindent 8 }}
      {{- with $root.Values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "carillon.name" $root }}
      automountServiceAccountToken: false
      # The variables of service links have the same prefix as settings.
      enableServiceLinks: false
      # preStop, and up to 25 s in which an MQTT gateway drains.
      terminationGracePeriodSeconds: 40
      {{- with $root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        {{- include "carillon.podSecurity" $root | nindent 8 }}
      containers:
        - name: {{ .part }}
          image: {{ include "carillon.image" $root | quote }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args: [{{ .part }}]
          securityContext:
            {{- include "carillon.containerSecurity" $root | nindent 12 }}
          env:
            {{- .env | trim | nindent 12 }}
          ports:
            {{- .ports | trim | nindent 12 }}
            - { name: ops, containerPort: 9464 }
          startupProbe: { httpGet: { path: /livez, port: ops }, periodSeconds: 2, failureThreshold: 90 }
          livenessProbe: { httpGet: { path: /livez, port: ops }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
          readinessProbe: { httpGet: { path: /readyz, port: ops }, periodSeconds: 2, timeoutSeconds: 4, failureThreshold: 2 }
          # Callers learn that the pod ends before it stops accepting work.
          lifecycle: { preStop: { exec: { command: [sleep, '5'] } } }
          resources:
            {{- toYaml .values.resources | nindent 12 }}
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            {{- include "carillon.kafkaMount" $root | nindent 12 }}
            {{- with .mounts }}
            {{- . | trim | nindent 12 }}
            {{- end }}
      volumes:
        - { name: tmp, emptyDir: { sizeLimit: 64Mi } }
        {{- include "carillon.kafkaVolume" $root | nindent 8 }}
        {{- with .volumes }}
        {{- . | trim | nindent 8 }}
        {{- end }}
      topologySpreadConstraints:
        {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "carillon.selector" $ | nindent 14 }}
        {{- end }}
      {{- with $root.Values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $root.Values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $root.Values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels:
    {{- include "carillon.labels" $root | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "carillon.selector" . | nindent 6 }}
{{- if $scaled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ $name }}
  labels:
    {{- include "carillon.labels" $root | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ $name }} }
  minReplicas: {{ .values.autoscaling.minReplicas }}
  maxReplicas: {{ .values.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource: { name: cpu, target: { type: Utilization, averageUtilization: {{ .values.autoscaling.cpuPercent }} } }
  # A new member takes over partitions of the others, so scaling should be rare.
  behavior: { scaleDown: { stabilizationWindowSeconds: 600 } }
{{- end }}
{{- end }}

{{- define "carillon.policyPeers" }}
{{- if . }}
from:
  - namespaceSelector:
      matchLabels:
        {{- toYaml . | nindent 8 }}
{{- end }}
{{- end }}
