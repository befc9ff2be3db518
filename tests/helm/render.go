// Renders a chart the way `helm template` does, for machines without Helm: Go templates, sprig, and Helm's own functions.
// Subcharts, .Files and hooks are not known to it; the chart here uses none.
//
// Usage: render CHART RELEASE [VALUES...]
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type object = map[string]interface{}

func main() {
	if len(os.Args) < 3 {
		fail(errors.New("usage: render CHART RELEASE [VALUES...]"))
	}
	if err := render(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "Error:", err)
	os.Exit(1)
}

func render(chart, release string, overrides []string) error {
	values, err := read(filepath.Join(chart, "values.yaml"))
	if err != nil {
		return err
	}
	for _, path := range overrides {
		more, err := read(path)
		if err != nil {
			return err
		}
		overlay(values, more)
	}
	about, err := read(filepath.Join(chart, "Chart.yaml"))
	if err != nil {
		return err
	}
	described := object{}
	for key, value := range about {
		described[strings.ToUpper(key[:1])+key[1:]] = value
	}
	scope := object{
		"Values":  values,
		"Chart":   described,
		"Release": object{"Name": release, "Namespace": "default", "Service": "Helm", "IsInstall": true, "Revision": 1},
	}
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return err
	}
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(functions(all))
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if _, err := all.New(filepath.Base(path)).Parse(string(text)); err != nil {
			return err
		}
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var out bytes.Buffer
		if err := all.ExecuteTemplate(&out, name, scope); err != nil {
			return err
		}
		text := strings.TrimSpace(strings.ReplaceAll(out.String(), "<no value>", ""))
		if text == "" {
			continue
		}
		if !strings.HasSuffix(name, ".yaml") {
			// Notes are for people; rendering them is the test.
			continue
		}
		fmt.Printf("---\n# Source: %s\n%s\n", name, text)
	}
	return nil
}

func read(path string) (object, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	found := object{}
	if err := yaml.Unmarshal(text, &found); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return found, nil
}

// overlay puts the values of one file over those before: objects are merged, everything else is replaced.
func overlay(under, over object) {
	for key, value := range over {
		inner, isObject := value.(object)
		below, wasObject := under[key].(object)
		if isObject && wasObject {
			overlay(below, inner)
		} else {
			under[key] = value
		}
	}
}

func functions(all *template.Template) template.FuncMap {
	known := sprig.TxtFuncMap()
	delete(known, "env")
	delete(known, "expandenv")
	known["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	known["fromYaml"] = func(text string) (object, error) {
		found := object{}
		err := yaml.Unmarshal([]byte(text), &found)
		return found, err
	}
	known["toJson"] = func(value interface{}) (string, error) {
		text, err := json.Marshal(value)
		return string(text), err
	}
	known["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	known["include"] = func(name string, scope interface{}) (string, error) {
		var out bytes.Buffer
		err := all.ExecuteTemplate(&out, name, scope)
		return out.String(), err
	}
	return known
}
