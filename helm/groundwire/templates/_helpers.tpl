{{/* Name of the application. */}}
{{- define "groundwire.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* Name of all objects: release and application, once where the release is named after it. */}}
{{- define "groundwire.fullname" -}}
{{- $name := include "groundwire.name" . -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels by which the service and the stateful set find the pod; they never change. */}}
{{- define "groundwire.selectorLabels" -}}
app.kubernetes.io/name: {{ include "groundwire.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "groundwire.labels" -}}
{{ include "groundwire.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{- define "groundwire.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "groundwire.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "groundwire.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{/* Name of the secret that holds the token; empty where anybody may come in. Anything unclear stops the rendering. */}}
{{- define "groundwire.tokenSecret" -}}
{{- $auth := .Values.auth -}}
{{- if and $auth.existingSecret $auth.token -}}
{{- fail "auth: give existingSecret or token, not both" -}}
{{- end -}}
{{- $guarded := or $auth.existingSecret $auth.token -}}
{{- if and $guarded $auth.allowUnauthenticated -}}
{{- fail "auth.allowUnauthenticated: there is a token, so clients must send it" -}}
{{- end -}}
{{- if not (or $guarded $auth.allowUnauthenticated) -}}
{{- fail "auth: the agent listens to the whole network; set auth.existingSecret or auth.token, or auth.allowUnauthenticated: true" -}}
{{- end -}}
{{- if $auth.token -}}
{{- include "groundwire.fullname" . -}}
{{- else -}}
{{- $auth.existingSecret -}}
{{- end -}}
{{- end -}}

{{/* The configuration with what the chart sets itself: where the store is, where to listen, who may come in. */}}
{{- define "groundwire.config" -}}
{{- $door := dict "host" "0.0.0.0" -}}
{{- if include "groundwire.tokenSecret" . -}}
{{- $_ := set $door "token_file" "/etc/groundwire/token/token" -}}
{{- else -}}
{{- $_ := set $door "allow_unauthenticated" true -}}
{{- end -}}
{{- $receive := dict "otlp_http" (deepCopy $door) "otlp_grpc" (deepCopy $door) -}}
{{- $managed := dict "data" "/var/lib/groundwire" "http" (deepCopy $door) "receive" $receive -}}
{{- toYaml (mergeOverwrite (deepCopy .Values.config) $managed) -}}
{{- end -}}

{{/* The ports in use, as YAML: name, number, and protocol of the application. */}}
{{- define "groundwire.ports" -}}
{{- $receive := default dict .Values.config.receive -}}
{{- $http := default dict .Values.config.http -}}
{{- $otlpHttp := default dict $receive.otlp_http -}}
{{- $otlpGrpc := default dict $receive.otlp_grpc -}}
ports:
  - name: http
    number: {{ default 8080 $http.port | int }}
    app: http
{{- if ne (toString $otlpHttp.enabled) "false" }}
  - name: otlp-http
    number: {{ default 4318 $otlpHttp.port | int }}
    app: http
{{- end }}
{{- if ne (toString $otlpGrpc.enabled) "false" }}
  - name: otlp-grpc
    number: {{ default 4317 $otlpGrpc.port | int }}
    app: grpc
{{- end }}
{{- end -}}

{{/* HTTPS where the configuration gives the HTTP listener a certificate. */}}
{{- define "groundwire.scheme" -}}
{{- $http := default dict .Values.config.http -}}
{{- if $http.tls_cert -}}HTTPS{{- else -}}HTTP{{- end -}}
{{- end -}}
