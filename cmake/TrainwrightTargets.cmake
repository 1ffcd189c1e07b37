# SPDX-License-Identifier: Apache-2.0
# The project's own target helpers: one place for standard, warnings, sanitizers and include folders.

add_library(trainwright_flags INTERFACE)
target_compile_features(trainwright_flags INTERFACE cxx_std_20)
target_compile_options(trainwright_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast>
  # GCC 12 sees overlapping copies in "text" + std::string at -O3 where there are none (GCC bug 105651).
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${TRAINWRIGHT_WARNINGS_AS_ERRORS}>>:-Werror>
  # nvcc generates host code that our other warnings are not made for.
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wshadow>
  $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${TRAINWRIGHT_WARNINGS_AS_ERRORS}>>:-Werror=all-warnings>)
target_include_directories(trainwright_flags INTERFACE "${PROJECT_SOURCE_DIR}")
if(TRAINWRIGHT_SANITIZE)
  target_compile_options(trainwright_flags INTERFACE -fsanitize=${TRAINWRIGHT_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(trainwright_flags INTERFACE -fsanitize=${TRAINWRIGHT_SANITIZE})
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()

# trainwright_library(NAME SOURCES a.cpp ... HEADERS a.hpp ... [PUBLIC t...] [PRIVATE t...])
# Every header of the library is also compiled alone by the target all_verify_interface_header_sets.
function(trainwright_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;HEADERS;PUBLIC;PRIVATE")
  add_library(${name} STATIC ${arg_SOURCES})
  target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${arg_HEADERS})
  set_target_properties(${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  target_link_libraries(${name} PUBLIC trainwright_flags ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
endfunction()

# trainwright_program(NAME SOURCES main.cpp ... LINK t...)
function(trainwright_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE trainwright_flags ${arg_LINK})
  install(TARGETS ${name} RUNTIME DESTINATION bin)
endfunction()

# trainwright_test(NAME SOURCES x_test.cpp ... [LINK t...] LABELS l... [TIMEOUT s] [SERIAL])
# One ctest entry, and one process, for each test case. SERIAL: these tests measure or fill the machine.
# The targets tests_LABEL build the programs of one label, for runs that need only those.
function(trainwright_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SERIAL" "TIMEOUT" "SOURCES;LINK;LABELS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE trainwright_flags ${arg_LINK} GTest::gtest GTest::gmock GTest::gtest_main)
  # Property tests draw the same cases on every machine; run a program by hand for others.
  set(properties TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "RC_PARAMS=seed=20261130")
  if(arg_SERIAL)
    list(APPEND properties RUN_SERIAL TRUE)
  endif()
  foreach(label IN LISTS arg_LABELS)
    if(NOT TARGET tests_${label})
      add_custom_target(tests_${label})
    endif()
    add_dependencies(tests_${label} ${name})
  endforeach()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
  # Labels are set once the tests are known: among PROPERTIES, a list of several would be taken apart.
  set(labels_file "${CMAKE_CURRENT_BINARY_DIR}/${name}_labels.cmake")
  file(WRITE "${labels_file}"
    "foreach(test IN LISTS ${name}_TESTS)\n  set_tests_properties(\"\${test}\" PROPERTIES LABELS \"${arg_LABELS}\")\nendforeach()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${labels_file}")
endfunction()
