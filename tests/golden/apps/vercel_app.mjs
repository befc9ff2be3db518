// The library's desk on the Vercel AI SDK: node vercel_app.mjs SCENARIO BASE_URL
import { trace } from "@opentelemetry/api";
import { NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import * as ai from "ai";
import { z } from "zod";

const [named, baseURL] = process.argv.slice(2);
const now = named.startsWith("now-"); // version 7, whose telemetry is a package of its own
const scenario = named.replace("now-", "");
const resource = resourceFromAttributes({
  "service.name": "library-desk",
  "service.version": "2.1.0",
  "deployment.environment.name": "test",
  "deployment.region": "eu-north",
});
const provider = new NodeTracerProvider({ resource, spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter())] });
provider.register();

const model = createOpenAICompatible({ name: "shelf", baseURL, apiKey: "none" })("librarian-1");
const prompt = "For how long are books lent?";
const rows = [
  { id: "LOAN-1@2", text: "Books are lent for four weeks.", metadata: { doc_id: "LOAN-1", version: "2" }, score: 0.75 },
  { id: "LOAN-2@1", text: "Films are lent for one week.", metadata: { doc_id: "LOAN-2", version: "1" }, score: 0.5 },
];
const telemetry = { isEnabled: true, functionId: "desk", metadata: { sessionId: "s-1", userId: "u-1" } };
if (scenario === "off") Object.assign(telemetry, { recordInputs: false, recordOutputs: false });
if (now) {
  const { OpenTelemetry } = await import("@ai-sdk/otel");
  ai.registerTelemetry(new OpenTelemetry());
  telemetry.includeRuntimeContext = { sessionId: true, userId: true };
}
const how = now
  ? { model, telemetry, runtimeContext: { sessionId: "s-1", userId: "u-1" } }
  : { model, experimental_telemetry: telemetry };
const schema = z.object({ query: z.string() });
const searchHandbook = { description: "Search the handbook", parameters: schema, inputSchema: schema, execute: async () => rows };

const SCENARIOS = {
  tool: () => ai.generateText({ ...how, prompt, tools: { searchHandbook }, maxSteps: 3, stopWhen: ai.stepCountIs?.(3) }),
  off: () => ai.generateText({ ...how, prompt, tools: { searchHandbook }, maxSteps: 3, stopWhen: ai.stepCountIs?.(3) }),
  prompt: () => ai.generateText({ ...how, system: `Context:\n${rows[0].text}`, prompt }),
  streaming: async () => {
    const messages = [
      { role: "user", content: "Do you lend books?" },
      { role: "assistant", content: "Yes." },
      { role: "user", content: prompt },
    ];
    for await (const _ of ai.streamText({ ...how, system: "Be brief.", messages }).textStream);
  },
};

await SCENARIOS[scenario]();
await provider.forceFlush();
await provider.shutdown();
