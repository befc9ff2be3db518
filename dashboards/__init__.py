"""Grafana boards, Prometheus rules and alerts, and the schema of the Helm chart, made from the configuration."""
